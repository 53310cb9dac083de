export type Point = { x: number; y: number }
export type Series = { label: string; points: readonly Point[] }
export type Axis = { label: string; logarithmic?: boolean }

const frame = { left: 64, top: 44, width: 480, height: 250 }
const legendWidth = 210
const size = { width: frame.left + frame.width + legendWidth, height: frame.top + frame.height + 52 }
/** Distinguishable on white and on black, and with colour blindness for red and green. */
const colours = ['#2274a5', '#e0761b', '#7a4fb5', '#0f8b6d', '#c2316a', '#8a7a1e', '#5b6b7a', '#b0443c']

/**
 * A line chart as SVG that is readable on a light and on a dark page. The vertical axis begins at 0, or is
 * logarithmic.
 */
export function lineChart(title: string, x: Axis, y: Axis, series: readonly Series[]): string {
  const across = scale(
    series.flatMap(({ points }) => points.map((point) => point.x)),
    x.logarithmic === true,
    false,
  )
  const up = scale(
    series.flatMap(({ points }) => points.map((point) => point.y)),
    y.logarithmic === true,
    true,
  )
  const left = (value: number) => frame.left + across.place(value) * frame.width
  const top = (value: number) => frame.top + (1 - up.place(value)) * frame.height
  const bottom = frame.top + frame.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="12" fill="#7a7a7a" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<text x="${frame.left}" y="22" font-size="15">${escaped(title)}</text>`,
    ...up.ticks.map(
      (value) =>
        `<path d="M${frame.left} ${at(top(value))}h${frame.width}" stroke="#7a7a7a" stroke-opacity=".25"/><text x="${frame.left - 8}" y="${at(top(value) + 4)}" text-anchor="end">${figure(value)}</text>`,
    ),
    ...across.ticks.map(
      (value) =>
        `<text x="${at(left(value))}" y="${bottom + 18}" text-anchor="middle">${figure(value)}</text>`,
    ),
    `<path d="M${frame.left} ${bottom}h${frame.width}" stroke="#7a7a7a"/>`,
    `<text x="${frame.left + frame.width / 2}" y="${bottom + 40}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(16 ${frame.top + frame.height / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...series.flatMap(({ label, points }, index) => {
      const colour = colours[index % colours.length] ?? '#7a7a7a'
      const line = points.map((point) => `${at(left(point.x))} ${at(top(point.y))}`).join('L')
      const dots = points.length > 12 ? [] : points
      const legendTop = frame.top + 12 + index * 20
      return [
        `<path d="M${line}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`,
        ...dots.map(
          (point) => `<circle cx="${at(left(point.x))}" cy="${at(top(point.y))}" r="3" fill="${colour}"/>`,
        ),
        `<path d="M${frame.left + frame.width + 16} ${legendTop - 4}h18" stroke="${colour}" stroke-width="3"/><text x="${frame.left + frame.width + 40}" y="${legendTop}">${escaped(label)}</text>`,
      ]
    }),
    '</svg>',
    '',
  ].join('\n')
}

/** Maps a value to a position between 0 and 1, and lists the tick values. */
function scale(values: readonly number[], logarithmic: boolean, fromZero: boolean) {
  const largest = Math.max(...values)
  const smallest = Math.min(...values)
  if (logarithmic) {
    const [low, high] = [Math.floor(Math.log10(smallest)), Math.max(1, Math.ceil(Math.log10(largest)))]
    return {
      place: (value: number) => (Math.log10(value) - low) / (high - low),
      ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    }
  }
  const low = fromZero ? 0 : smallest
  const step = niceStep((largest - low) / 5)
  const high = fromZero ? Math.ceil(largest / step) * step || 1 : largest
  return {
    place: (value: number) => (high === low ? 0.5 : (value - low) / (high - low)),
    ticks: Array.from(
      { length: Math.floor((high - low) / step + 1e-9) + 1 },
      (_, index) => low + index * step,
    ),
  }
}

/** 1, 2 or 5 times a power of ten, at least `rough`. */
function niceStep(rough: number): number {
  if (!(rough > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
}

const at = (value: number): string => value.toFixed(1)
const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 3 : 1 })
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
