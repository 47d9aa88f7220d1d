import { partsOf } from './converted-archive';
import { MAX_CONTENT_LENGTH } from '../../../messages/messages.module';

describe('texts longer than a message', () => {
  it('stay whole where they fit', () => {
    expect(partsOf('')).toEqual(['']);
    const fitting = 'x'.repeat(MAX_CONTENT_LENGTH - 1000);
    expect(partsOf(fitting)).toEqual([fitting]);
  });

  it.each([
    ['paragraphs', 'some words\n\n'],
    ['lines', 'some words\n'],
    ['words', 'word '],
    ['nothing', '😀'],
  ])('are cut between %s', (_, piece) => {
    const text = piece.repeat(8000).trimEnd();
    const parts = partsOf(text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThan(MAX_CONTENT_LENGTH);
      expect(part.isWellFormed()).toBe(true);
      expect(part.startsWith(piece.trim())).toBe(true);
      expect(part.endsWith(piece.trim())).toBe(true);
    }
    expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('go on with the code in which they are cut', () => {
    const line = 'const answer = 42;\n';
    const parts = partsOf(`Look:\n\`\`\`js\n${line.repeat(1500)}\`\`\`\nThat is all.`);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts[0]?.startsWith('Look:\n```js\n')).toBe(true);
    for (const part of parts.slice(1)) expect(part.startsWith('```js\nconst')).toBe(true);
    for (const part of parts.slice(0, -1)) expect(part.endsWith('42;\n```')).toBe(true);
    expect(parts.at(-1)?.endsWith('```\nThat is all.')).toBe(true);
    expect(parts.join('').split('const answer')).toHaveLength(1501);
  });
});
