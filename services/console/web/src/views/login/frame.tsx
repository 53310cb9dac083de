import { type ReactNode, useEffect, useRef } from 'react'
import styles from './login.module.css'

/** The frame of the pages before sign-in; its heading takes the focus when the step changes. */
export function Frame({ title, children, first }: { title: string; children: ReactNode; first?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Console`
    if (!first) heading.current?.focus()
  }, [title, first])
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src="/console/favicon.svg" width={24} height={24} alt="" />
          Identity verification console
        </div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  )
}
