import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import styles from './page.module.css'

export { styles as pageStyles }

/** The first page keeps the browser's focus; every later one moves it to its heading. */
let visited = false

type Props = {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  heading?: ReactNode
  children: ReactNode
}

/** A view. Sets the tab title, and focuses the heading after a route change so that screen readers announce it. */
export function Page({ title, lead, actions, heading, children }: Props) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  useEffect(() => {
    if (visited) ref.current?.focus()
    visited = true
  }, [])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 ref={ref} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions}
      </header>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </div>
  )
}

export const Card = ({
  title,
  children,
  actions,
}: {
  title: string
  children: ReactNode
  actions?: ReactNode
}) => (
  <section className={styles.card} aria-label={title}>
    <div className={styles.head}>
      <h2 className={styles.cardTitle}>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
