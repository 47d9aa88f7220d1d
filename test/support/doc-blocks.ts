import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of code in a document. */
export interface DocBlock {
  /** The heading above it. */
  readonly section: string;
  readonly language: string;
  readonly code: string;
}

/** The code blocks of a document, in order. */
export function docBlocks(document: string): DocBlock[] {
  const text = readFileSync(join(__dirname, '../..', document), 'utf8');
  const blocks: DocBlock[] = [];
  let section = '';
  for (const [, heading, language, code] of text.matchAll(/^## ([^\n]*)$|^```(\w+)\n(.*?)^```$/gms)) {
    if (heading !== undefined) section = heading;
    else blocks.push({ section, language: language as string, code: code as string });
  }
  return blocks;
}
