import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/context.ts'

/**
 * One page. Its heading takes the focus on mount, so that screen readers announce it; the actions are at the bottom.
 */
export function Screen(props: {
  title: string
  lead?: ComponentChildren
  children?: ComponentChildren
  actions?: ComponentChildren
  mark?: 'ok' | 'wait' | 'stop'
}) {
  const { appName } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  const { title } = props
  useEffect(() => {
    document.title = `${title} – ${appName}`
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [title, appName])
  return (
    <>
      <div class="screen">
        {props.mark && <Mark kind={props.mark} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {props.lead && <p class="lead">{props.lead}</p>}
        {props.children}
      </div>
      {props.actions && <div class="actions">{props.actions}</div>}
    </>
  )
}

function Mark({ kind }: { kind: 'ok' | 'wait' | 'stop' }) {
  const paths = { ok: 'M14 25l7 7 13-15', wait: 'M24 14v11l7 5', stop: 'M24 14v13M24 33v1' }
  return (
    <svg class={`mark mark-${kind}`} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={paths[kind]} />
    </svg>
  )
}
