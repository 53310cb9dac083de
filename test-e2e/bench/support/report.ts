/** A section of the report: the last measurement of a benchmark, and its date. */
export type Section = { bench: string; text: string }

const marker = /^<!-- bench: ([a-z-]+) -->$/
const intro = `# Benchmarks

Written by \`npx --yes pnpm bench\`; \`npx --yes pnpm bench --report <name …>\` renews the sections named and leaves the others as they are.
Peers run in the same process or beside it, in turn; each section says how, when it was measured, and on what.`

/** The sections of an existing report. Text before the first marker is not a section. */
export function readSections(report: string): Section[] {
  const sections: { bench: string; lines: string[] }[] = []
  for (const line of report.split('\n')) {
    const bench = marker.exec(line)?.[1]
    if (bench !== undefined) sections.push({ bench, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ bench, lines }) => ({ bench, text: lines.join('\n').trim() }))
}

/** Replaces sections by those in `fresh`; new ones are appended. */
export function mergeSections(kept: readonly Section[], fresh: readonly Section[]): Section[] {
  const renewed = new Map(fresh.map((section) => [section.bench, section]))
  const merged = kept.map((section) => renewed.get(section.bench) ?? section)
  return [...merged, ...fresh.filter(({ bench }) => !kept.some((section) => section.bench === bench))]
}

export const writeReport = (sections: readonly Section[]): string =>
  `${[intro, ...sections.map(({ bench, text }) => `<!-- bench: ${bench} -->\n${text}`)].join('\n\n')}\n`
