import type { AmlMatch, Identity } from '@kyc/common'
import { formatScore, wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './aml.module.css'

const or = (values: readonly (string | null)[]) => values.filter(Boolean).join(', ') || '–'

/** Compares person and listed entity side by side, and shows the components of the score. */
export function AmlMatchView({
  match,
  screenedName,
  identity,
}: {
  match: AmlMatch
  screenedName: string | null
  identity: Identity
}) {
  const { explanation } = match
  const rows: [string, string, string][] = [
    [
      'Name',
      screenedName ?? '–',
      `${match.matched_name} (${wordsOfCode(match.matched_name_type).toLowerCase()})`,
    ],
    ['Born', identity.date_of_birth ?? '–', or(match.dates_of_birth)],
    ['Nationality', identity.nationality ?? '–', or(match.nationalities)],
    ['Kind', 'Person', wordsOfCode(match.entity_type)],
    ['Programmes', '', or(match.programs)],
    ['List', '', `${wordsOfCode(match.list)}, version ${match.list_version}`],
    ['Number on the list', '', match.entity_id],
    ['Listed on', '', match.listed_on ?? '–'],
    ['Remarks', '', match.remarks ?? '–'],
  ]
  return (
    <div className={styles.match}>
      <table className={styles.compare}>
        <thead>
          <tr>
            <td />
            <th scope="col">Person</th>
            <th scope="col">Listed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, person, listed]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {person}
                {name === 'Born' && match.date_of_birth_match !== null && (
                  <>
                    {' '}
                    <Badge tone={match.date_of_birth_match ? 'bad' : 'ok'}>
                      {match.date_of_birth_match ? 'same' : 'other'}
                    </Badge>
                  </>
                )}
              </td>
              <td>{listed}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {match.source_url && (
        <a href={match.source_url} target="_blank" rel="noreferrer noopener">
          The entry at its source <Icon name="external" size={12} />
          <span className="visually-hidden">(opens in a new tab)</span>
        </a>
      )}
      <section className={styles.score} aria-label="How the score adds up">
        <ul className={styles.tokens}>
          {explanation.tokens.map(({ query, listed, similarity }) => (
            <li key={`${query} ${listed}`}>
              <span>{query}</span>
              <span className="muted"> ≈ </span>
              <span>{listed}</span> <strong>{formatScore(similarity)}</strong>
            </li>
          ))}
          {explanation.unmatched_query.map((token) => (
            <li key={`person ${token}`}>
              <s>{token}</s> <span className="muted">only the person</span>
            </li>
          ))}
          {explanation.unmatched_listed.map((token) => (
            <li key={`listed ${token}`}>
              <s>{token}</s> <span className="muted">only the list</span>
            </li>
          ))}
        </ul>
        <p className={styles.sum}>
          Name <strong>{formatScore(match.name_score)}</strong>
          {explanation.adjustments.map(({ code, delta }) => (
            <span key={code}>
              {' '}
              {delta < 0 ? '−' : '+'} {wordsOfCode(code).toLowerCase()}{' '}
              <strong>{formatScore(Math.abs(delta))}</strong>
            </span>
          ))}{' '}
          = <strong>{formatScore(match.score)}</strong>
        </p>
      </section>
    </div>
  )
}
