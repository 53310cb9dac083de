import { useState } from 'react'
import type { SessionDetail } from '../../api/sessions.ts'
import { checkName, wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './timeline.module.css'

type Entry = SessionDetail['timeline'][number]

function actorOf({ actor }: Entry): string {
  if (actor.type === 'user') return actor.name ?? 'A console user'
  if (actor.type === 'api_key') return 'Your backend'
  return actor.type === 'end_user' ? 'The person' : 'The system'
}

/** Formats codes as words; leaves ids and numbers unchanged. */
const wordsOfValue = (value: Entry['details'][string]) =>
  typeof value === 'string' && /^[a-z]+(_[a-z]+)*$/.test(value)
    ? value in checkName
      ? checkName[value as keyof typeof checkName]
      : wordsOfCode(value)
    : String(value)

const firstShown = 12

/** The events of the session, oldest first. */
export function TimelineCard({ timeline }: { timeline: readonly Entry[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? timeline : timeline.slice(-firstShown)
  return (
    <Card
      title="Timeline"
      actions={
        timeline.length > firstShown &&
        !all && <Button onClick={() => setAll(true)}>Show all {timeline.length}</Button>
      }
    >
      <ol className={styles.timeline}>
        {shown.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${JSON.stringify(entry.details)}`}>
            <span className={styles.when}>
              <Time at={entry.at} />
            </span>
            <span>
              <strong>{wordsOfCode(entry.kind)}</strong> <span className="muted">{actorOf(entry)}</span>
              <span className={styles.details}>
                {Object.entries(entry.details)
                  .filter(([, value]) => value !== null && value !== '')
                  .map(([name, value]) => (
                    <span key={name}>
                      {wordsOfCode(name)}: {wordsOfValue(value)}
                    </span>
                  ))}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
