import { pathToFileURL } from 'node:url'

/** Turns a title into the last part of an address: `Hello, World!` becomes `hello-world`. */
export function slugify(title) {
  return title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const slug = slugify(process.argv.slice(2).join(' '))
  if (slug === '') {
    console.error('slugify: the title holds no letter and no digit')
    process.exitCode = 1
  } else {
    console.log(slug)
  }
}
