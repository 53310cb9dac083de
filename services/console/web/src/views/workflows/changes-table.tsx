import type { Changes } from '../../api/workflows.ts'
import { Table } from '../../ui/table.tsx'
import styles from './editor.module.css'

const shown = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))

/** The differences between two configs, field by field. */
export const ChangesTable = ({ changes, caption }: { changes: Changes; caption: string }) =>
  changes.length === 0 ? (
    <p className="muted">No setting differs.</p>
  ) : (
    <Table
      caption={caption}
      rows={changes}
      rowKey={({ path }) => path}
      columns={[
        { name: 'Setting', cell: ({ path }) => <code>{path}</code> },
        { name: 'Before', cell: ({ before }) => <del className={styles.before}>{shown(before)}</del> },
        { name: 'After', cell: ({ after }) => <ins className={styles.after}>{shown(after)}</ins> },
      ]}
    />
  )
