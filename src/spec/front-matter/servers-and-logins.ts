import { z } from 'zod'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { McpServers, SavedLogin } from './front-matter.ts'

export const acpAgentSchema = z.strictObject({ acp: z.tuple([z.string().min(1)], z.string().min(1)).readonly() })

const texts = z.record(z.string(), z.string())

const programServer = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).exactOptional(),
  env: texts.exactOptional(),
})

const httpServer = z.strictObject({
  type: z.literal('http').exactOptional(),
  url: z.string().regex(/^https?:\/\/\S+$/),
  headers: texts.exactOptional(),
})

/** A name that all agents accept. `mdtest` is the name of mdtest's own server. */
const serverName = z.string().regex(/^(?!mdtest$)[A-Za-z0-9][A-Za-z0-9-]*$/)

export const mcpServersSchema = z.record(
  serverName,
  z.union([programServer, httpServer]),
) satisfies z.ZodType<McpServers>

export const mcpServersForm =
  'a mapping of names (letters, digits and `-`, not `mdtest`) to `{ command, args, env }` or `{ type: http, url, headers }`'

/** A user name, or `none` for nobody. It becomes part of file names, so only some characters are allowed. */
export const userName = /^[A-Za-z0-9][\w-]*$/

export const loginForm = '`none`, or the name of a user (letters, digits, `_` and `-`)'

export const loginText = z.string().regex(/\S/)

const savedLogin = z
  .strictObject({ 'storage-state': loginText, 'signed-in': loginText.optional() })
  .transform((given): SavedLogin =>
    withoutUndefined({ storageState: given['storage-state'], signedIn: given['signed-in'] }),
  )

/** If there are several users, steps that name no user act as the first user. */
export const loginSchema = z.union([
  z
    .string()
    .regex(userName)
    .transform((user) => ({ user, savedLogins: undefined })),
  savedLogin.transform((only) => ({ user: '', savedLogins: { '': only } })),
  z
    .record(z.string().regex(/^(?!none$)[A-Za-z0-9][\w-]*$/), savedLogin)
    .transform((savedLogins) => ({ user: Object.keys(savedLogins)[0] ?? '', savedLogins })),
])

export const savedLoginForm = '`{ storage-state: FILE, signed-in: TEXT }` with a FILE that Playwright saved'
const variable = z.string().regex(/^[A-Za-z_]\w*$/)

/** Names of one-time codes, with the variables that contain their secrets. */
export const totpSchema = z.record(variable, variable)
export const totpForm =
  'a mapping of names of codes to the variables with their secrets, such as `SHOP_CODE: SHOP_TOTP_SECRET`'
