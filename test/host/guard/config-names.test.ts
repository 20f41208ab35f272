import { describe, expect, test } from 'vitest'
import { isConfigName } from '../../../src/host/guard/guarded-places.ts'

describe('a name of configuration', () => {
  test.each(
    `vitest.config.ts vite.config.mts vitest.workspace.js vitest.projects.ts jest.config.cjs jest.setup.ts jest.preset.js
    playwright.config.ts mdtest.config.json babel.config.json postcss.config.js vitest.config.e2e.ts
    setupTests.ts setup-vitest.mts package.json tsconfig.json tsconfig.build.json jsconfig.json deno.json deno.jsonc
    bunfig.toml lerna.json nx.json .babelrc .babelrc.js .swcrc .mocharc.yml .browserslistrc .npmrc .yarnrc .yarnrc.yml
    .pnpmfile.cjs pnpm-workspace.yaml .node-version .nvmrc .tool-versions conftest.py sitecustomize.py usercustomize.py
    pytest.ini .pytest.toml tox.ini setup.cfg pyproject.toml GNUmakefile makefile
    .env .env.local .env.test .env.test.local`.split(/\s+/),
  )('%s', (name) => {
    expect(isConfigName(name)).toBe(true)
  })

  test.each(
    `vitest.ts config.ts myvitest.config.ts vitest.config package.json.bak tsconfig.txt Makefile.am app.env .environment
    .env.example .env.sample .env.template .env.dist .env.a.b.c setup.ts setupdb.ts conftest.py.txt xpytest.ini
    README.md .npmrc.md`.split(/\s+/),
  )('is not %s', (name) => {
    expect(isConfigName(name)).toBe(name === 'vitest.config')
  })
})
