/** Supported versions of Node.js; must equal `engines` in package.json. */
export const supportedNode = '^20.19.0 || >=22.12.0'

/** Describes why a version such as `18.20.2` does not suffice. `undefined` if the version is supported. */
export function describeWrongNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (isSupported) return undefined
  return `This is Node.js ${version}, and mdtest needs ${supportedNode}. Install a newer one, for example with \`nvm install 22\`.`
}
