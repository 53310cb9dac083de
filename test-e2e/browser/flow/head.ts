export type Point = { x: number; y: number }
/** In pixels of the picture; right and left are the person's. */
export type Landmarks = { right_eye: Point; left_eye: Point }
/** Turn and nod in degrees; left is the person's. */
export type Pose = { yaw: number; pitch: number }

/** Pixels of a picture, three bytes each: red, green, blue. */
export type Picture = { data: Buffer; width: number; height: number }

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const bump = (x: number, y: number, width: number, height: number) =>
  Math.exp(-(x * x) / (2 * width * width) - (y * y) / (2 * height * height))

/** Millimetres in front of the plane of the eyes, at millimetres right of and below the point between them. */
function depthAt(x: number, y: number): number {
  const skull = 1 - (x / 80) ** 2 - ((y - 25) / 118) ** 2
  const head = 78 * (Math.sqrt(Math.max(0, skull)) - 1) + 9
  return head + 27 * bump(x, y - 38, 11, 15) + 7 * bump(x, y - 74, 24, 14)
}

/** 1 on the face, decreasing to 0 beyond the hair. */
function partOfHead(x: number, y: number): number {
  const reach = Math.hypot(x / 80, (y - 25) / 118)
  return Math.min(1, Math.max(0, (1.35 - reach) / 0.5))
}

/** Pixels between two points whose displacement is computed; between them it is interpolated. */
const mesh = 8

/**
 * The picture of a face after its head has moved: each point gets its depth on an average head, is rotated in space,
 * and projected again. The background stays in place.
 */
export function turnHead(picture: Picture, landmarks: Landmarks, pose: Pose): Buffer {
  const { width, height } = picture
  const origin = middle(landmarks.right_eye, landmarks.left_eye)
  const eyes = {
    x: landmarks.left_eye.x - landmarks.right_eye.x,
    y: landmarks.left_eye.y - landmarks.right_eye.y,
  }
  const perMillimetre = Math.hypot(eyes.x, eyes.y) / 64
  const [columns, rows] = [Math.ceil(width / mesh) + 1, Math.ceil(height / mesh) + 1]
  const ways = { x: new Float32Array(columns * rows), y: new Float32Array(columns * rows) }
  for (let index = 0; index < columns * rows; index++) {
    const x = ((index % columns) * mesh - origin.x) / perMillimetre
    const y = (Math.floor(index / columns) * mesh - origin.y) / perMillimetre
    const from = placeBefore({ x, y }, pose)
    ways.x[index] = (from.x - x) * perMillimetre
    ways.y[index] = (from.y - y) * perMillimetre
  }
  const out = Buffer.allocUnsafe(picture.data.length)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = Math.floor(row / mesh) * columns + Math.floor(column / mesh)
      const [right, down] = [(column % mesh) / mesh, (row % mesh) / mesh]
      const x = column + between(ways.x, at, columns, right, down)
      const y = row + between(ways.y, at, columns, right, down)
      sample(picture, x, y, out, row * width + column)
    }
  }
  return out
}

const between = (values: Float32Array, at: number, columns: number, right: number, down: number): number =>
  (values[at]! * (1 - right) + values[at + 1]! * right) * (1 - down) +
  (values[at + columns]! * (1 - right) + values[at + columns + 1]! * right) * down

/**
 * The original position of a point of the rotated head; found by iteration, because its depth is that of the
 * original position.
 */
function placeBefore(point: Point, { yaw, pitch }: Pose): Point {
  const [sinYaw, cosYaw] = sinCos(yaw)
  const [sinPitch, cosPitch] = sinCos(pitch)
  let from = point
  for (let round = 0; round < 8; round++) {
    const depth = depthAt(from.x, from.y)
    const part = partOfHead(from.x, from.y)
    from = {
      x: point.x - part * (from.x * (cosYaw - 1) + depth * sinYaw),
      y: point.y - part * (from.y * (cosPitch - 1) - depth * sinPitch),
    }
  }
  return from
}

const sinCos = (degrees: number): [number, number] => [
  Math.sin((degrees * Math.PI) / 180),
  Math.cos((degrees * Math.PI) / 180),
]

/** Bilinear; beyond the edge, the edge pixel. */
function sample({ data, width, height }: Picture, x: number, y: number, out: Buffer, pixel: number): void {
  const [safeX, safeY] = [Math.min(Math.max(x, 0), width - 1.001), Math.min(Math.max(y, 0), height - 1.001)]
  const [left, top] = [Math.floor(safeX), Math.floor(safeY)]
  const [right, down] = [safeX - left, safeY - top]
  const at = (top * width + left) * 3
  for (let channel = 0; channel < 3; channel++) {
    const [a, b] = [data[at + channel]!, data[at + channel + 3]!]
    const [c, d] = [data[at + channel + width * 3]!, data[at + channel + width * 3 + 3]!]
    out[pixel * 3 + channel] =
      (a * (1 - right) + b * right) * (1 - down) + (c * (1 - right) + d * right) * down
  }
}
