/** A text without what differs from run to run: times, addresses, temporary names, ports. */
export function settle(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/\b0x[\da-f]+\b/gi, 'ADDRESS')
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, 'ID')
    .replaceAll(/\b[\d.]+ ?(?:ms|s|seconds?)\b/g, 'DURATION')
    .replaceAll(/\/tmp\/\S+/g, 'TEMPORARY')
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, 'PORT')
}
