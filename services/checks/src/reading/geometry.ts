/** A point in pixels of an upright image: x to the right, y down. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Four corners in reading order: top left, top right, bottom right, bottom left of the text or page. */
export type Quad = readonly [Point, Point, Point, Point]

export const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

export const midpoint = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

export const quadWidth = (q: Quad) => (distance(q[0], q[1]) + distance(q[3], q[2])) / 2

export const quadHeight = (q: Quad) => (distance(q[0], q[3]) + distance(q[1], q[2])) / 2

export const quadCenter = (q: Quad): Point => ({
  x: (q[0].x + q[1].x + q[2].x + q[3].x) / 4,
  y: (q[0].y + q[1].y + q[2].y + q[3].y) / 4,
})

/** The angle of the text's baseline in radians, 0 for upright text, positive clockwise on the screen. */
export const quadAngle = (q: Quad) => {
  const left = midpoint(q[0], q[3])
  const right = midpoint(q[1], q[2])
  return Math.atan2(right.y - left.y, right.x - left.x)
}

export const scaleQuad = (q: Quad, factorX: number, factorY: number): Quad =>
  mapQuad(q, (p) => ({ x: p.x * factorX, y: p.y * factorY }))

export const mapQuad = (q: Quad, f: (p: Point) => Point): Quad => [f(q[0]), f(q[1]), f(q[2]), f(q[3])]

/** Rotates the reading direction clockwise by quarter turns: the same four corners, starting with another one. */
export const turnQuad = (q: Quad, quarters: number): Quad => {
  const shift = ((quarters % 4) + 4) % 4
  return [q[shift]!, q[(shift + 1) % 4]!, q[(shift + 2) % 4]!, q[(shift + 3) % 4]!]
}

const cross = (o: Point, a: Point, b: Point) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)

/** Andrew's monotone chain; the hull in order, without collinear points. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  if (sorted.length < 3) return sorted
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of ordered) {
      while (chain.length > 1 && cross(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0)
        chain.pop()
      chain.push(point)
    }
    chain.pop()
    return chain
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

/** The rectangle of least area around a convex hull (one side lies on a hull edge: Freeman and Shapira, 1975). */
export function minimumAreaRectangle(hull: readonly Point[]): Quad | null {
  if (hull.length < 3) return null
  let best: { area: number; quad: Quad } | null = null
  for (let i = 0; i < hull.length; i++) {
    const a = hull[i]!
    const b = hull[(i + 1) % hull.length]!
    const length = distance(a, b)
    if (length === 0) continue
    const ux = (b.x - a.x) / length
    const uy = (b.y - a.y) / length
    let minU = Infinity
    let maxU = -Infinity
    let minV = Infinity
    let maxV = -Infinity
    for (const p of hull) {
      const u = p.x * ux + p.y * uy
      const v = -p.x * uy + p.y * ux
      if (u < minU) minU = u
      if (u > maxU) maxU = u
      if (v < minV) minV = v
      if (v > maxV) maxV = v
    }
    const area = (maxU - minU) * (maxV - minV)
    if (best && best.area <= area) continue
    const corner = (u: number, v: number): Point => ({ x: u * ux - v * uy, y: u * uy + v * ux })
    best = { area, quad: [corner(minU, minV), corner(maxU, minV), corner(maxU, maxV), corner(minU, maxV)] }
  }
  return best && uprightOrder(best.quad)
}

/** Orders the corners so that the top side is the one whose direction is nearest to left-to-right. */
export function uprightOrder(quad: Quad): Quad {
  let best = quad
  let bestScore = -Infinity
  for (let quarters = 0; quarters < 4; quarters++) {
    const turned = turnQuad(quad, quarters)
    const length = distance(turned[0], turned[1]) || 1
    const score = (turned[1].x - turned[0].x) / length
    if (score > bestScore) {
      bestScore = score
      best = turned
    }
  }
  return best
}

/** Moves each side of a rectangle outwards by a distance in pixels (along and across the text). */
export function growRectangle(q: Quad, along: number, across: number): Quad {
  const width = distance(q[0], q[1]) || 1
  const height = distance(q[0], q[3]) || 1
  const u: Point = { x: (q[1].x - q[0].x) / width, y: (q[1].y - q[0].y) / width }
  const v: Point = { x: (q[3].x - q[0].x) / height, y: (q[3].y - q[0].y) / height }
  const move = (p: Point, a: number, b: number): Point => ({
    x: p.x + u.x * a + v.x * b,
    y: p.y + u.y * a + v.y * b,
  })
  return [
    move(q[0], -along, -across),
    move(q[1], along, -across),
    move(q[2], along, across),
    move(q[3], -along, across),
  ]
}
