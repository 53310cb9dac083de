import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const name = 'lists'

const root = fileURLToPath(new URL('../../', import.meta.url))
const shared = process.env.KYC_SHARED_DIR ?? join(root, '..', 'shared')

interface Measured {
  format: string
  list: string
  entities: number
  names: number
  megabytes: number
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
}

interface Subject {
  title: string
  files: readonly string[]
}

const real: readonly Subject[] = [
  {
    title: 'OFAC SDN, CSV',
    files: [
      'ofac_2024-05-03/sdn.csv',
      'ofac_2024-05-03/alt_2025-02-27.csv',
      'ofac_2024-05-03/add_2025-02-27.csv',
    ],
  },
  { title: 'OFAC consolidated, XML', files: ['ofac_cons/consolidated_2025-05.xml'] },
  { title: 'UN, XML', files: ['un/un_consolidated_2026-02-27.xml'] },
  { title: 'OFSI ConList 2025, CSV', files: ['uk/ConList_2025.csv'] },
  { title: 'OFSI ConList 2020, CSV', files: ['uk/ConList_2020-04-27.csv'] },
  { title: 'Canada, XML', files: ['ca/sema-lmes.xml'] },
  { title: 'Australia, XLSX', files: ['au/regulation8_consolidated.xlsx'] },
]

/** Reads each list in a separate process, so that peak memory is measured per list. */
export async function run(): Promise<string> {
  const directory = join(shared, 'data', 'sanctions', 'lists')
  const lines = [
    '| list | size | entities | names | time | CPU | peak memory |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const { title, files } of real) {
    const paths = files.map((file) => join(directory, file))
    if (!paths.every((path) => existsSync(path))) lines.push(`| ${title} | absent | | | | | |`)
    else lines.push(row(title, await measure(paths)))
  }
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-lists-'))
  try {
    const path = join(folder, 'advanced.xml')
    await writeFile(path, advancedXml(19_000))
    lines.push(row('OFAC advanced XML, 19,000 invented parties', await measure([path])))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return `## Reading sanctions lists\n\nOne process a list, from file to checked normal form; an empty process of the same make uses about 95 MB.\n\n${lines.join('\n')}\n`
}

function row(title: string, measured: Measured): string {
  const { megabytes, entities, names, seconds, cpuSeconds, peakMegabytes } = measured
  return `| ${title} | ${megabytes.toFixed(1)} MB | ${entities} | ${names} | ${seconds.toFixed(2)} s | ${cpuSeconds.toFixed(2)} s | ${peakMegabytes.toFixed(0)} MB |`
}

function measure(paths: readonly string[]): Promise<Measured> {
  const script = fileURLToPath(new URL('./support/lists-child.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script, ...paths], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: root,
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Measured)
      else reject(new Error(`reading ended with ${code}`))
    })
  })
}

/** A document with the size and structure of OFAC's and invented parties: about 110 MB. */
function advancedXml(parties: number): string {
  const period = (from: number): string => {
    const edge = (kind: string, month: number, day: number): string => {
      const point = `<Year>${from}</Year><Month>${month}</Month><Day>${day}</Day>`
      return `<${kind} Approximate="false" YearFixed="false" MonthFixed="false" DayFixed="false"><From>${point}</From><To>${point}</To></${kind}>`
    }
    return `<DatePeriod CalendarTypeID="1" YearFixed="false" MonthFixed="false" DayFixed="false">${edge('Start', 1, 1)}${edge('End', 12, 31)}</DatePeriod>`
  }
  const aliases = (id: number): string =>
    Array.from({ length: 4 }, (_, at) => {
      const part = (group: number, text: string): string =>
        `<DocumentedNamePart><NamePartValue NamePartGroupID="${group}" ScriptID="215" ScriptStatusID="1" Acronym="false">${text}</NamePartValue></DocumentedNamePart>`
      return `<Alias FixedRef="${id}" AliasTypeID="${at === 0 ? 1403 : 1400}" Primary="${at === 0}" LowQuality="false"><DocumentedName ID="${id * 10 + at}" FixedRef="${id}" DocNameStatusID="1">${part(id * 2, `FAMILY${id}X${at}`)}${part(id * 2 + 1, `Given${id} Middle${at}`)}</DocumentedName></Alias>`
    }).join('')
  const padding = '<!-- '.concat('x'.repeat(2_300), ' -->')
  const party = (id: number): string =>
    `<DistinctParty FixedRef="${id}"><Comment/><Profile ID="${id}" PartySubTypeID="4"><Identity ID="${id}" FixedRef="${id}" Primary="true" False="false">${aliases(id)}<NamePartGroups><MasterNamePartGroup><NamePartGroup ID="${id * 2}" NamePartTypeID="1520"/></MasterNamePartGroup><MasterNamePartGroup><NamePartGroup ID="${id * 2 + 1}" NamePartTypeID="1521"/></MasterNamePartGroup></NamePartGroups></Identity><Feature ID="${id}" FeatureTypeID="8"><FeatureVersion ID="${id}" ReliabilityID="1"><Comment/>${period(1940 + (id % 60))}</FeatureVersion></Feature></Profile>${padding}</DistinctParty>\n`
  const ids = Array.from({ length: parties }, (_, at) => at + 1)
  return `<Sanctions><DateOfIssue><Year>2026</Year><Month>1</Month><Day>2</Day></DateOfIssue><ReferenceValueSets><FeatureType ID="8">Birthdate</FeatureType><List ID="1550">SDN List</List><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType><PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType><PartyType ID="1">Individual</PartyType><SanctionsType ID="1">Program</SanctionsType></ReferenceValueSets><DistinctParties>${ids.map(party).join('')}</DistinctParties><SanctionsEntries>${ids.map((id) => `<SanctionsEntry ID="${id}" ProfileID="${id}" ListID="1550"><SanctionsMeasure ID="${id}" SanctionsTypeID="1"><Comment>TEST</Comment></SanctionsMeasure></SanctionsEntry>`).join('')}</SanctionsEntries></Sanctions>`
}
