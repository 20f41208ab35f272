import { openBrowser } from './open-browser.ts'

/** A picture of one red pixel. */
export const redDot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** How many pixels of each picture are red, as Chromium decodes it. @param pictures in base64 */
export async function redPixels(pictures: readonly string[]): Promise<unknown> {
  await using browser = await openBrowser()
  const page = await browser.openPage()
  return await page.evaluate(`Promise.all(${JSON.stringify(pictures)}.map(async (data) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))]))
    const { width, height } = bitmap
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(bitmap, 0, 0)
    const bytes = canvas.getImageData(0, 0, width, height).data
    let count = 0
    for (let at = 0; at < bytes.length; at += 4) if (bytes[at] > 150 && bytes[at + 1] < 100 && bytes[at + 2] < 100) count += 1
    return count
  }))`)
}
