import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain'

const icons: Record<Tone, IconName | null> = {
  ok: 'check',
  warn: 'alert',
  bad: 'cross',
  info: 'info',
  plain: null,
}

/** A coloured word with an icon, because colour alone must not convey information. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  const icon = icons[tone]
  return (
    <span className={`${styles.badge} ${tone === 'plain' ? '' : styles[tone]}`}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
}
