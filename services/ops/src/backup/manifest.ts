import { z } from 'zod'

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  file: z.string(),
  /** Of the compressed file. */
  sha256: z.string(),
})

/** `manifest.json` of a backup: what it holds and of which state of the schemas. */
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

/** A schema and how it is reached. */
export type Target = { schema: string; url: string }
