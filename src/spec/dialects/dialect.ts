import type { ProductContext } from '../context/product-context.ts'
import type { textEndings } from '../../system/spec-endings.ts'
import type { FenceLanguage } from '../blocks/fence.ts'
import type { IncludedFile } from '../front-matter/read-includes.ts'
import type { RawFrontMatter } from '../front-matter/parse-front-matter.ts'
import type { Key } from '../front-matter/create-reader.ts'
import type { Source } from '../read-source.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Outline } from '../sections/build-sections.ts'
import type { Spec } from '../spec.ts'
import type { FrontMatter } from '../front-matter/front-matter.ts'
import type { DialectName } from './places.ts'

/** A key of the front matter that only documents of a dialect have. */
export interface DialectKey extends Key<unknown> {
  /** What it is for, one sentence for the schema of the front matter. */
  readonly purpose: string
}

/** Test cases as another tool has them: what their documents say beside all other specs, and the steps they are. */
export interface Dialect<Name extends DialectName = DialectName> {
  /** The value of `dialect` in the front matter. */
  readonly name: Name
  readonly keys: Readonly<Record<string, DialectKey>>
  /**
   * Keys of the other tool that `build` reports: they mean nothing here.
   * @default []
   */
  readonly unsupportedKeys?: readonly string[]
  /** That of its files which are no markdown, without the dot: `build` reads their text. Default: there are none. */
  readonly ending?: (typeof textEndings)[number]
  /**
   * Whether `build` reads the lines of the text, and wants no outline: then no markdown is parsed.
   * @default false
   */
  readonly isOfLines?: boolean
  /** That of its fences. Specs of mdtest's own may hold them, too. */
  readonly language?: FenceLanguage
  /** Whether a document that names no dialect has the form of this one; asked for agents that drive a browser. Default: it has not. */
  readonly recognise?: (outline: Outline) => boolean
  /**
   * Whether its documents have no place for how the product is run: then `mdtest.context.md` says it.
   * @default false
   */
  readonly takesContext?: boolean
  /** The front matter with what the dialect gives its test cases, or refuses them. Default: as it is. */
  readonly settle?: (frontMatter: FrontMatter, document: DialectDocument) => FrontMatter
  /** Makes the scenarios of a document. What is wrong with it is reported, never thrown. Default of the title: as of any spec. */
  readonly build: (
    document: DialectDocument & DialectParts,
  ) => Pick<Spec, 'includes' | 'scenarios' | 'requirements'> & Partial<Pick<Spec, 'title' | 'change'>>
}

export interface DialectDocument {
  readonly file: string
  readonly raw: RawFrontMatter
  readonly report: Report
}

export interface DialectParts {
  readonly frontMatter: FrontMatter
  readonly isAgentNone: boolean
  readonly text: Source['text']
  readonly outline: Outline
  readonly title: string
  /** What stands beside the document; empty for a dialect that takes none. */
  readonly context: ProductContext
  /** Those of all dialects. */
  readonly languages: readonly FenceLanguage[]
  /** Reads the files that a key of the front matter names. */
  readFiles(paths: readonly string[], key: string): readonly IncludedFile[]
  /**
   * Reads a file that the text of the document names: relative to the document, or to a folder above it in the suite root.
   * `undefined` where none is there.
   */
  findFile(path: string): FoundFile | undefined
  /** The same for a spec, whose sections become part of this one. Its front matter counts for nothing. */
  findSpec(path: string): IncludedFile | undefined
}

/** A file that a document names in its text. */
export interface FoundFile {
  readonly file: string
  readonly text: string
}
