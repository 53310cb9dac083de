import { type Context, readText, required, text } from './context.ts'
import { showRecord, showRows } from './output.ts'

/** `kyc screen NAME`: screens a name against every loaded sanctions list. */
export async function screen(context: Context): Promise<void> {
  const { kyc, output, positionals } = context
  const date = text(context, 'date-of-birth')
  const nationality = text(context, 'nationality')
  const answer = await kyc.checks.aml({
    full_name: required(positionals.join(' ').trim(), 'NAME'),
    ...(date === undefined ? {} : { date_of_birth: date }),
    ...(nationality === undefined ? {} : { nationality }),
  })
  if (output.json) {
    output.print(JSON.stringify(answer))
    return
  }
  for (const warning of answer.warnings) output.note(`${warning.severity}: ${warning.message}`)
  const loaded = answer.lists.map(({ list, version }) => `${list} ${version}`).join(', ')
  output.note(`screened against: ${loaded || 'no list'}`)
  showRows(output, answer.matches, ['score', 'name', 'matched_name', 'list', 'entity_id', 'match_id'])
}

/** `kyc mrz [FILE]`: parses the lines of a machine-readable zone from a file or standard input. */
export async function mrz({ kyc, output, positionals }: Context): Promise<void> {
  const lines = readText(positionals[0])
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const answer = await kyc.checks.mrz({ lines })
  const { check_digits, corrections, ...fields } = answer
  if (output.json) {
    output.print(JSON.stringify(answer))
    return
  }
  const { lines: used, ...shown } = fields
  showRecord(output, shown)
  const digits = Object.entries(check_digits).map(([name, holds]) => ({ check_digit: name, holds }))
  output.print('')
  showRows(output, digits, ['check_digit', 'holds'])
  for (const { line, position, from, to } of corrections)
    output.note(`corrected line ${line}, position ${position}: ${from} to ${to}`)
  for (const line of used) output.note(line)
}
