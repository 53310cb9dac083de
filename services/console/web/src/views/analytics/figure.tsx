import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Card, pageStyles } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { csvOf } from './csv.ts'

type Cell = string | number
type Props = {
  title: string
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
  children: ReactNode
}

/** A chart that is also available as a table and as a file. */
export function Figure({ title, head, rows, children }: Props) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const download = () =>
    saveFile(`${title.toLowerCase().replace(/ /g, '-')}.csv`, 'text/csv', csvOf([head, ...rows]))
  return (
    <Card
      title={title}
      actions={
        <div className={pageStyles.row}>
          <Button
            variant="quiet"
            aria-expanded={asTable}
            aria-controls={id}
            aria-label={`${asTable ? 'View as drawing' : 'View as table'}: ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'View as drawing' : 'View as table'}
          </Button>
          <Button variant="quiet" aria-label={`CSV: ${title}`} onClick={download}>
            CSV
          </Button>
        </div>
      }
    >
      <div id={id}>
        {asTable ? (
          <Table
            caption={title}
            rows={rows}
            rowKey={(row) => row.join('|')}
            columns={head.map((name, index) => ({
              name,
              number: typeof rows[0]?.[index] === 'number',
              cell: (row: readonly Cell[]) => row[index],
            }))}
          />
        ) : (
          children
        )}
      </div>
    </Card>
  )
}
