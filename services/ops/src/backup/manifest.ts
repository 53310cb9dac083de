import { z } from 'zod'

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  file: z.string(),
  /** Of the compressed file. */
  sha256: z.string(),
})

/** `manifest.json` of a backup: its content, and the state of the schemas that it was made from. */
export const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  schemas: z.array(
    z.object({
      schema: z.string(),
      migrations: z.array(z.string()),
      tables: z.array(table),
      sequences: z.record(z.string(), z.string()),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>
export type SchemaBackup = Manifest['schemas'][number]

/** A schema and its connection URL. */
export type Target = { schema: string; url: string }
