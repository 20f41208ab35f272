/** Files that test runners, compilers and package managers read by their names, wherever they find them. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vite|vitest|jest|playwright|babel|postcss|mdtest)\.(?:config|workspace|projects|setup|preset)(?:\.[\w-]+)*`,
    String.raw`setup(?:Tests|-tests|-vitest|-jest)\.\w+`,
    String.raw`package\.json|[jt]sconfig(?:\.[\w-]+)*\.json|deno\.jsonc?|bunfig\.toml|lerna\.json|nx\.json`,
    String.raw`\.(?:babelrc|swcrc|postcssrc|mocharc|browserslistrc|jestrc)(?:\.\w+)?`,
    String.raw`\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|\.node-version|\.nvmrc|\.tool-versions`,
    String.raw`conftest\.py|(?:site|user)customize\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml`,
    String.raw`GNUmakefile|makefile`,
  ].join('|')})$`,
)

/** Vite reads `.env`, `.env.local`, `.env.<mode>` and `.env.<mode>.local`; examples are for people. */
const environment = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w-]+){0,2}$/

/** Whether a new file of this name in a folder of sources could change how they are built, run or judged. */
export function isConfigName(name: string): boolean {
  return configuration.test(name) || isEnvironmentName(name)
}

/** Whether it is one that holds variables. */
export function isEnvironmentName(name: string): boolean {
  return environment.test(name)
}
