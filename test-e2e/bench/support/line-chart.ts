export type Series = { label: string; points: readonly { x: number; y: number }[] }

const width = 640
const height = 360
const margin = { left: 64, right: 150, top: 40, bottom: 48 }
const colours = ['#1f5fa8', '#b3541e', '#2e7d4f', '#7a3e9d', '#8a6d00']

/** A picture (SVG) of a few series over an axis of powers of ten; the y axis begins at zero. */
export function lineChart(title: string, axes: { x: string; y: string }, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const [low, high] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))]
  const top = Math.max(...all.map(({ y }) => y)) * 1.1 || 1
  const span = Math.log10(high / low) || 1
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const atX = (x: number) => margin.left + (Math.log10(x / low) / span) * inner.width
  const atY = (y: number) => margin.top + inner.height * (1 - y / top)
  const text = (x: number, y: number, label: string, anchor = 'middle') =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${label}</text>`
  const ticksX = [...new Set(all.map(({ x }) => x))].sort((a, b) => a - b)
  const ticksY = Array.from({ length: 5 }, (_, index) => (top / 4) * index)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin.left}" y="22" font-size="15">${title}</text>`,
    ...ticksY.map(
      (y) =>
        `<line x1="${margin.left}" x2="${width - margin.right}" y1="${atY(y).toFixed(1)}" y2="${atY(y).toFixed(1)}" stroke="#ddd"/>${text(margin.left - 8, atY(y) + 4, y.toPrecision(2), 'end')}`,
    ),
    ...ticksX.map((x) => text(atX(x), height - margin.bottom + 18, x.toLocaleString('en'))),
    text(margin.left + inner.width / 2, height - 10, axes.x),
    text(margin.left, margin.top - 6, axes.y, 'start'),
    ...series.map(({ label, points }, index) => {
      const colour = colours[index % colours.length]
      const line = points.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(' ')
      const last = points.at(-1)
      const dots = points.map(
        ({ x, y }) => `<circle cx="${atX(x).toFixed(1)}" cy="${atY(y).toFixed(1)}" r="3" fill="${colour}"/>`,
      )
      const name = last
        ? `<text x="${atX(last.x) + 8}" y="${atY(last.y) + 4}" fill="${colour}">${label}</text>`
        : ''
      return `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${name}`
    }),
    '</svg>',
    '',
  ].join('\n')
}
