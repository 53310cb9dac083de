import type { AmlMatch, ConsoleSession } from '@kyc/common'

/** A picture to embed in the report, as a data: URL. */
export type ReportPicture = { kind: string; round: number; url: string }

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Escapes every value that is inserted, because names come from documents and are untrusted. */
const text = (value: unknown): string =>
  String(value ?? '–').replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const words = (code: string) => text(code.replaceAll('_', ' '))
const rows = (pairs: readonly (readonly [string, unknown])[]) =>
  pairs.map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>`).join('')
const section = (title: string, body: string) =>
  body === '' ? '' : `<section><h2>${text(title)}</h2>${body}</section>`
const table = (head: readonly string[], lines: readonly (readonly unknown[])[]) =>
  lines.length === 0
    ? ''
    : `<table><thead><tr>${head.map((name) => `<th scope="col">${text(name)}</th>`).join('')}</tr></thead><tbody>${lines
        .map((line) => `<tr>${line.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`

/** The page's policy allows this style by its hash and nothing else, neither styles nor scripts. */
export const reportStyle = `
body{font:13px/1.5 system-ui,sans-serif;color:#14202b;margin:24px auto;max-width:780px;padding:0 16px}
h1{font-size:22px;line-height:1.25;margin:0 0 4px}h2{font-size:16px;margin:20px 0 6px;border-bottom:1px solid #c9d1d9}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:3px 8px 3px 0;border-bottom:1px solid #e9edf1}
th[scope=row]{width:200px;font-weight:600}p{margin:4px 0}.muted{color:#4a5866}figure{display:inline-block;margin:0 12px 12px 0}
img{max-width:360px;max-height:260px;border:1px solid #c9d1d9}section{break-inside:avoid}
@media print{body{margin:0;max-width:none}}
`

/** A page to print or to save as PDF. It shows `printedBy` and `at`, because a copy is not tracked by the audit log. */
export function reportPage(
  session: ConsoleSession,
  pictures: readonly ReportPicture[],
  printed: { by: string; at: string; app: string },
): string {
  const { decision } = session
  const { identity } = decision
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Report ${text(decision.session_id)}</title>
<style>${reportStyle}</style></head><body>
<h1>Identity verification report</h1>
<p class="muted">${text(printed.app)} · printed ${text(printed.at)} by ${text(printed.by)}</p>
${section('Session', `<table>${rows(sessionPairs(session))}</table>`)}
${section(
  'Identity',
  `<table>${rows([
    ['Name', identity.full_name],
    ['Date of birth', identity.date_of_birth],
    ['Nationality', identity.nationality],
    ['Document', identity.document_type],
    ['Number', identity.document_number_masked],
    ['Expires', identity.expiry_date],
  ])}</table>`,
)}
${section('Checks', checksOf(session))}
${section('Sanctions matches', matchesOf(session))}
${section('Pictures', pictures.map(figureOf).join(''))}
${section(
  'Decisions',
  table(
    ['When', 'What', 'Who', 'Reason', 'Note'],
    session.reviews.map((item) => [
      item.at,
      item.status,
      item.actor.name ?? item.actor.id,
      item.reason,
      item.note,
    ]),
  ),
)}
${section(
  'Notes',
  table(
    ['When', 'Who', 'Text'],
    session.notes.map((item) => [item.at, item.name ?? item.author_id, item.text]),
  ),
)}
${section(
  'Timeline',
  table(
    ['When', 'What', 'Who', 'Details'],
    session.timeline.map((item) => [
      item.at,
      item.kind.replaceAll('_', ' '),
      item.actor.name ?? item.actor.id ?? item.actor.type.replaceAll('_', ' '),
      Object.entries(item.details)
        .filter(([, value]) => value !== null && value !== '')
        .map(([key, value]) => `${key}: ${value}`)
        .join(', '),
    ]),
  ),
)}
</body></html>`
}

function sessionPairs({ decision, session, workflow }: ConsoleSession): [string, unknown][] {
  return [
    ['Id', decision.session_id],
    ['Status', decision.status.replaceAll('_', ' ')],
    ['Reason', decision.decision_reason?.replaceAll('_', ' ')],
    ['Your reference', decision.vendor_data],
    ['Workflow', `${workflow.name}, version ${workflow.version}`],
    ['Created', decision.created_at],
    ['Submitted', decision.submitted_at],
    ['Completed', decision.completed_at],
    ['Purged', session.purged_at],
  ]
}

function checksOf({ decision, warning_texts: texts }: ConsoleSession): string {
  return decision.checks
    .map((check) => {
      const warnings = check.warnings
        .map((warning) => {
          const known = texts[warning.code]
          const said = known ? `${known.title}. ${known.explanation}` : warning.message
          return `<p>${words(warning.severity)}: ${text(said)}</p>`
        })
        .join('')
      const score = check.score === null ? '' : `, score ${text(check.score)}`
      return `<p><strong>${words(check.kind)}</strong>: ${words(check.status)}${score}</p>${warnings}`
    })
    .join('')
}

function matchesOf({ decision }: ConsoleSession): string {
  const matches = decision.checks.flatMap((check) =>
    check.kind === 'aml' && Array.isArray(check.data.matches) ? (check.data.matches as AmlMatch[]) : [],
  )
  return table(
    ['List', 'Entity', 'Name', 'Score', 'Verdict', 'Note'],
    matches.map((match) => [
      `${match.list} (${match.list_version})`,
      match.entity_id,
      match.matched_name,
      match.score,
      match.review?.status.replaceAll('_', ' '),
      match.review?.note,
    ]),
  )
}

const figureOf = ({ kind, round, url }: ReportPicture) =>
  `<figure><img src="${text(url)}" alt="${words(kind)}"><figcaption>${words(kind)}, round ${round}</figcaption></figure>`
