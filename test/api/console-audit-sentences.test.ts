import * as english from '../../console/words/audit';
import * as german from '../../console/words/audit.de';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERSONAL_SETTING_NAMES } from '../../src/features/users/users.module';
import { AUDIT_ACTIONS, AUDIT_AREAS } from '../../src/features/audit/audit-actions';

/** What a sentence has put in. */
const placesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each([
  ['English', english],
  ['German', german],
])('the audit log in %s', (_language, { sentences, own, changed, areas, personal }) => {
  it('has a sentence for each kind of entry, and a name for each kind of thing', () => {
    expect(Object.keys(sentences).sort()).toEqual([...AUDIT_ACTIONS].sort());
    expect(Object.keys(areas).sort()).toEqual([...AUDIT_AREAS].sort());
  });

  it('has a name for each personal setting', () => {
    const path = join(__dirname, '../../console/organization/audit-sentence.tsx');
    const named = [...readFileSync(path, 'utf8').matchAll(/^ {2}(\w+): (?:\{|notified)/gm)].map(
      ([, name]) => name,
    );
    const missing = PERSONAL_SETTING_NAMES.filter((name) => !named.includes(name) && !(name in personal));
    expect(missing).toEqual([]);
  });

  it('names the same people and things as the other language', () => {
    const others = [english.sentences, english.own, english.changed].map((each) => Object.entries(each));
    const these = [sentences, own, changed].map((each) => each as Readonly<Record<string, string>>);
    const differing = others.flatMap((sentencesOf, index) =>
      sentencesOf.filter(([name, text]) => String(placesIn(text)) !== String(placesIn(these[index]![name]!))),
    );
    expect(differing).toEqual([]);
  });

  it('names no one but the person where someone did it to the own account', () => {
    expect(Object.values(own).filter((each) => each.includes('{actor}') || !each.includes('{user}'))).toEqual(
      [],
    );
  });
});
