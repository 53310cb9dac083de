import { ApiError } from '@kyc/web-kit'
import type { ReactNode } from 'react'
import { PasskeyError } from '../lib/passkey-error.ts'
import { Button } from './button.tsx'
import styles from './states.module.css'

export const Loading = ({ what }: { what: string }) => (
  <div className={styles.loading} role="status">
    <span className="visually-hidden">Loading {what}…</span>
    <div className={styles.bar} />
    <div className={styles.bar} />
    <div className={styles.bar} />
  </div>
)

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.state}>
    <h2>{title}</h2>
    {children}
  </div>
)

/** A message for an error that says what the user can do. */
export function wordsOf(error: unknown): string {
  if (error instanceof PasskeyError) return error.message
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Load it again.'
  if (error.code === 'network') return 'No connection to the server. Check the network and try again.'
  if (error.code === 'rate_limited') {
    const wait = error.retryAfterSeconds
    return `Too many requests. Try again ${wait ? `in ${wait} seconds` : 'in a minute'}.`
  }
  if (error.code === 'forbidden') return `Your role does not allow this. ${sentence(error.message)}`
  if (error.code === 'internal') return 'The server could not answer. Try again in a moment.'
  return sentence(error.message)
}
const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** Why a form was rejected. Screen readers announce it when it appears. */
export const FormError = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className={styles.formError} role="alert">
      {children}
    </p>
  ) : null

export const Failed = ({ error, retry }: { error: unknown; retry?: () => void }) => (
  <div className={styles.state} role="alert">
    <h2>This could not be loaded</h2>
    <p>{wordsOf(error)}</p>
    {retry && <Button onClick={retry}>Try again</Button>}
  </div>
)
