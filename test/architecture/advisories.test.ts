import { lockedVersions, problemsOfVersions } from '../../scripts/check-advisories';

describe('the list of advisories', () => {
  it('has nothing against what is installed', () => {
    expect(problemsOfVersions(lockedVersions())).toEqual([]);
  });

  it.each([
    ['fastify', '5.11.3'],
    ['sanitize-html', '2.17.3'],
    ['@fastify/middie', '9.1.9'],
  ])('names what is known of %s %s, wherever it is installed', (name, version) => {
    const locked = [...lockedVersions(), { name, version }];
    const problems = problemsOfVersions(locked);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toContain(`: ${name} ${version} is vulnerable (`);
  });
});
