/** A spec that captures values and uses them in commands. `-u` has a line to write in it. */
export const capturesSpec = String.raw`---
agent: none
env: { SHOP_TOKEN: t0psecret-value }
---

# Shop

## Add

${'```'}console
$ echo "added 7 for $SHOP_TOKEN"
added {{id:/\d+/}} for {{token:/.*/}}
$ printf '%s of %s\n' "$id" \
    "$(printenv id)"
old
${'```'}

## Read

${'```'}sh
echo "id $id"
${'```'}

${'```'}output
id {{id}}
${'```'}
`

/** What `-u` makes of the second command. */
export const capturesWritten = '"$id" \\\n    "$(printenv id)"\n7 of 7\n```\n'
