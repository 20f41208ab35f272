import { dartRunner } from './dart.ts'
import type { Runner } from '../runner.ts'

/** Patterns are regular expressions on full names. */
export const flutter: Runner<'flutter'> = dartRunner('flutter', {
  files: [{ name: /^pubspec\.yaml$/, content: /^\s+sdk:\s*flutter\b/m }],
  // A package of Flutter is one of Dart, too, which `dart test` cannot run.
  supersedes: 'dart',
})
