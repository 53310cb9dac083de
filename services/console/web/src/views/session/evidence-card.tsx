import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import type { SessionDetail } from '../../api/sessions.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './evidence.module.css'
import { Picture } from './picture.tsx'

type Item = SessionDetail['evidence'][number]
type Props = { appId: string; sessionId: string; evidence: readonly Item[]; purged: boolean }

const order: readonly Item['kind'][] = [
  'document_front',
  'document_back',
  'document_portrait',
  'selfie',
  'document_faces',
  'selfie_faces',
  'liveness_frame',
]
const zooms = [1, 2, 3, 4]

/** The pictures, loaded only on request, because each view is recorded in the audit log. */
export function EvidenceCard({ appId, sessionId, evidence, purged }: Props) {
  const against = useReasonAgainst()
  const [shown, setShown] = useState(false)
  const reason = against('evidence.read')
  useShortcuts(
    shown || evidence.length === 0 || reason
      ? []
      : [{ keys: 'e', label: 'Show the evidence', run: () => setShown(true) }],
  )
  return (
    <Card title="Evidence">
      {purged ? (
        <p className="muted">Purged. No picture of this session is left.</p>
      ) : evidence.length === 0 ? (
        <p className="muted">No picture was taken yet.</p>
      ) : shown ? (
        <Viewer appId={appId} sessionId={sessionId} evidence={evidence} />
      ) : (
        <div className={styles.closed}>
          <p className="muted">
            {evidence.length} {evidence.length === 1 ? 'picture' : 'pictures'}. Every view is audited.
          </p>
          <Button shortcut="e" reason={reason} onClick={() => setShown(true)}>
            Show evidence
          </Button>
        </div>
      )}
    </Card>
  )
}

function Viewer({ appId, sessionId, evidence }: Omit<Props, 'purged'>) {
  const items = [...evidence].sort(
    (a, b) => b.round - a.round || order.indexOf(a.kind) - order.indexOf(b.kind),
  )
  const [index, setIndex] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [turn, setTurn] = useState(0)
  const [brightness, setBrightness] = useState(100)
  const [faces, setFaces] = useState(false)
  const item = items[Math.min(index, items.length - 1)]
  const portrait =
    items.find(({ kind }) => kind === 'document_portrait') ??
    items.find(({ kind }) => kind === 'document_front')
  const selfie = items.find(({ kind }) => kind === 'selfie' || kind === 'liveness_frame')
  const pair = portrait && selfie ? [portrait, selfie] : null
  const shown = faces && pair ? pair : item ? [item] : []
  const step = (by: number) => {
    setFaces(false)
    setIndex((index + by + items.length) % items.length)
  }
  const nextZoom = () => setZoom(zooms[(zooms.indexOf(zoom) + 1) % zooms.length] ?? 1)
  useShortcuts([
    { keys: '[', label: 'Previous picture', run: () => step(-1) },
    { keys: ']', label: 'Next picture', run: () => step(1) },
    { keys: 'z', label: 'Zoom', run: nextZoom },
    { keys: 'o', label: 'Turn the picture', run: () => setTurn((turn + 90) % 360) },
    ...(pair ? [{ keys: 'f', label: 'Compare the faces', run: () => setFaces(!faces) }] : []),
  ])
  const nameOf = ({ kind, round }: Item) => `${wordsOfCode(kind)}${round > 1 ? `, try ${round}` : ''}`
  return (
    <div className={styles.viewer}>
      <fieldset className={styles.tools}>
        <legend className="visually-hidden">Pictures</legend>
        {items.map((candidate, position) => (
          <button
            key={candidate.object_id}
            type="button"
            className={styles.tab}
            aria-pressed={!faces && candidate === item}
            onClick={() => {
              setFaces(false)
              setIndex(position)
            }}
          >
            {nameOf(candidate)}
          </button>
        ))}
        {pair && (
          <button type="button" className={styles.tab} aria-pressed={faces} onClick={() => setFaces(!faces)}>
            Compare faces
          </button>
        )}
      </fieldset>
      <div className={styles.stage}>
        {shown.map((picture) => (
          <Picture
            key={picture.object_id}
            src={`/console/api/apps/${appId}/sessions/${sessionId}/evidence/${picture.object_id}`}
            name={nameOf(picture)}
            zoom={zoom}
            turn={turn}
            brightness={brightness}
          />
        ))}
      </div>
      <div className={styles.tools}>
        <Button onClick={nextZoom} shortcut="z">
          <Icon name="zoom" /> {zoom}×
        </Button>
        <Button icon aria-label="Turn by 90 degrees" onClick={() => setTurn((turn + 90) % 360)}>
          <Icon name="rotate" />
        </Button>
        <label className={styles.brightness}>
          <Icon name="sun" />
          <span className="visually-hidden">Brightness, for viewing only</span>
          <input
            type="range"
            min={40}
            max={220}
            step={10}
            value={brightness}
            onChange={(event) => setBrightness(Number(event.target.value))}
          />
        </label>
        {item && !faces && (
          <span className="muted">
            {[
              item.document_type && wordsOfCode(item.document_type),
              item.capture_method === 'upload' ? 'uploaded' : item.capture_method && 'taken by camera',
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        )}
      </div>
    </div>
  )
}
