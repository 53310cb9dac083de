import type { SessionDetail } from '../../api/sessions.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { checkOf, dataOf } from './check-data.ts'
import styles from './session.module.css'

const fields = [
  ['full_name', 'Name'],
  ['date_of_birth', 'Born'],
  ['nationality', 'Nationality'],
  ['document_type', 'Document'],
  ['document_number_masked', 'Number'],
  ['expiry_date', 'Expires'],
] as const

/** The person's data, the source of each value, and whether MRZ and visual zone agree. */
export function IdentityCard({ decision, purged }: { decision: SessionDetail['decision']; purged: boolean }) {
  const { identity, checks } = decision
  const crossChecks = dataOf(checkOf(checks, 'document'), 'document').cross_checks ?? []
  const known = fields.some(([field]) => identity[field] !== null)
  return (
    <Card title="Identity">
      {!known ? (
        <p className="muted">{purged ? 'Purged.' : 'Nothing was read of a document yet.'}</p>
      ) : (
        <table className={styles.list}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
              <th scope="col">MRZ, print</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([field, label]) => {
              const value = identity[field]
              const source = identity.sources[field]
              const cross = crossChecks.find((item) => item.field === field.replace('_masked', ''))
              return (
                <tr key={field}>
                  <th scope="row">{label}</th>
                  <td>{value === null ? '–' : field === 'document_type' ? wordsOfCode(value) : value}</td>
                  <td>{source ? wordsOfCode(source) : '–'}</td>
                  <td>
                    {cross === undefined || cross.match === null ? (
                      '–'
                    ) : cross.match ? (
                      <Badge tone="ok">agree</Badge>
                    ) : (
                      <>
                        <Badge tone="bad">differ</Badge> {cross.mrz} / {cross.visual}
                      </>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Card>
  )
}
