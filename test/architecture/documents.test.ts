import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');

/** Every page of the project, by its path. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Files and folders of the repository that a text names; without patterns and placeholders. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`(?<path>(?:src|test|scripts|bench|examples|docs)\/[\w./-]+)(?=[`:])/g)]
    .map(({ groups }) => groups?.path ?? '')
    .filter((path) => !path.includes('NNNN'));
}

/** Targets of a page's links within the repository, outside of code blocks. */
function links(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/\]\((?<target>[^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(({ groups }) => groups?.target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

describe('the documents', () => {
  it('name files that are there', () => {
    const missing = pages.flatMap((page) =>
      namedPaths(readFileSync(join(root, page), 'utf8'))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('link to pages that are there', () => {
    const missing = pages.flatMap((page) =>
      links(readFileSync(join(root, page), 'utf8'))
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});
