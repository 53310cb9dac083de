import type { Answer } from '@kyc/web-kit'
import { useState } from 'react'
import { api, type Console } from '../../api/client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './audit.module.css'

type Verified = Answer<Console, 'post', '/console/api/audit/verify'>
type Head = Answer<Console, 'post', '/console/api/audit/head'>

/** Verifies the log against the heads in the vault and an exported head from the user, and exports new heads. */
export function Verification({ reason }: { reason: string | null }) {
  const [verified, setVerified] = useState<Verified>()
  const [problem, setProblem] = useState<string>()
  const [verify, verifying] = useAction(async (form: HTMLFormElement) => {
    const file = new FormData(form).get('head')
    setProblem(undefined)
    const head = file instanceof File && file.size > 0 ? await readHead(file) : undefined
    if (head === null) setProblem('This file is not an exported head.')
    else setVerified(await api.post('/console/api/audit/verify', { body: { head } }))
  })
  const [exportHead, exporting] = useAction(async () => {
    const head = await api.post('/console/api/audit/head', {})
    saveFile(`audit-head-${head.payload.seq}.json`, 'application/json', `${JSON.stringify(head, null, 2)}\n`)
  })
  return (
    <>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          verify(event.currentTarget)
        }}
      >
        <TextField
          label="Exported head (optional)"
          name="head"
          type="file"
          accept="application/json"
          error={problem}
          hint="Compare the log with a head that you keep outside this installation."
        />
        <Button type="submit" busy={verifying} reason={reason}>
          Verify chain
        </Button>
        <Button busy={exporting} reason={reason} onClick={exportHead}>
          Export head
        </Button>
      </form>
      {verified && <Result result={verified} />}
    </>
  )
}

/** Null if the file cannot be a head; the server validates the rest. */
async function readHead(file: File): Promise<Head | null> {
  try {
    const value = JSON.parse(await file.text()) as Head | null
    return value && 'payload' in value && 'signature' in value ? value : null
  } catch {
    return null
  }
}

const badges = {
  proven: <Badge tone="ok">Proven</Badge>,
  unproven: <Badge tone="warn">Unproven</Badge>,
  broken: <Badge tone="bad">Broken</Badge>,
}

const Result = ({ result }: { result: Verified }) => (
  <div role="status" className={styles.result}>
    {badges[result.verdict]}
    {result.statement.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </div>
)
