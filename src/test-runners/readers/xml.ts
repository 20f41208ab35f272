import { parseXml, XmlElement } from '@rgrove/parse-xml'

/** Root of an XML text; `undefined` where it is none, or only the start of one. */
export function parseElement(text: string | undefined): XmlElement | undefined {
  try {
    // Output of programs may hold characters that XML has no way to write.
    return text === undefined
      ? undefined
      : (parseXml(text.replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')).root ?? undefined)
  } catch {
    return undefined
  }
}

/** Elements of a name within another, itself too, in the order of the text. */
export function elementsNamed(element: XmlElement, name: string): readonly XmlElement[] {
  const inner = childrenOf(element).flatMap((child) => elementsNamed(child, name))
  return element.name === name ? [element, ...inner] : inner
}

/** The first child of one of these names. */
export function childNamed(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return childrenOf(element).find(({ name }) => names.includes(name))
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement)
}
