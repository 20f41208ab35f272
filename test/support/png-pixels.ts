import { inflateSync } from 'node:zlib'

/** The pixels of a PNG with eight bits a channel and no interlacing, as Chromium makes them: `[red, green, blue]`. */
export function pixelsOf(png: Buffer): readonly (readonly number[])[] {
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const width = png.readUInt32BE(16)
  const size = png[25] === 6 ? 4 : 3
  const length = width * size
  const lines = inflateSync(Buffer.concat(data))
  const pixels: number[][] = []
  let above = Buffer.alloc(length)
  for (let at = 0; at < lines.length; at += length + 1) {
    const line = Buffer.from(lines.subarray(at + 1, at + 1 + length))
    for (let x = 0; x < length; x += 1) {
      const [left, up, corner] = [line[x - size] ?? 0, above[x] ?? 0, (x >= size && above[x - size]) || 0]
      const added = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][lines[at] ?? 0] ?? 0
      line[x] = (line[x] ?? 0) + added
    }
    for (let x = 0; x < length; x += size) pixels.push([...line.subarray(x, x + 3)])
    above = line
  }
  return pixels
}

/** The filter of Paeth. */
function nearest(left: number, up: number, corner: number): number {
  const sum = left + up - corner
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)] as const // three
  return a <= b && a <= c ? left : b <= c ? up : corner
}
