import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { StandInBuild } from '../support/web-app/stand-in-build';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('parley web-app check', () => {
  const builds: StandInBuild[] = [];
  const build = (changes: Readonly<Record<string, string | null>> = {}) => {
    const made = new StandInBuild(changes);
    builds.push(made);
    return made.folder;
  };
  let parley: CommandLine;

  beforeAll(() => {
    parley = new CommandLine({});
  });

  afterAll(() => builds.forEach((each) => each.remove()));

  it('says that a folder fits, and how to show it', async () => {
    const folder = build();
    await expect(parley.run(['web-app', 'check', folder])).resolves.toEqual({
      exitCode: 0,
      errors: '',
      output:
        `${folder} holds the web app of release 12.0: 7 files, 3 languages.\n` +
        `Show it with WEB_APP_DIR=${folder}\n`,
    });
    await expect(parley.json(['web-app', 'check', folder])).resolves.toEqual({
      fits: true,
      version: '12.0',
      notice: null,
      files: 7,
      languages: 3,
    });
  });

  it('says where a folder is of another release', async () => {
    const folder = build({ version: '10.2\n' });
    const { exitCode, output } = await parley.run(['web-app', 'check', folder]);
    expect(exitCode).toBe(0);
    expect(output).toContain('The web app belongs to release 10.2, but this server implements 12.0.');
  });

  it('names everything that is wrong, with the line of a template', async () => {
    const folder = build({
      'webpack-stats-production.json': '{"status": "compile"}',
      'staticfiles.json': 'no JSON',
      'locale/language_name_map.json': null,
      'templates/zerver/app/index.html': '{% block content %}\n{{ realm.name }}\n{% endblock %}',
    });
    const { exitCode, output } = await parley.run(['web-app', 'check', folder]);
    expect({ exitCode, lines: output.trim().split('\n') }).toEqual({
      exitCode: 1,
      lines: [
        `${folder} does not contain a usable web app:`,
        '- webpack-stats-production.json describes an unfinished build: its "status" is not "done".',
        '- staticfiles.json is not a JSON object.',
        '- locale/language_name_map.json is missing.',
        '- templates/zerver/app/index.html, line 2: {{ realm.name }} is not understood.',
      ],
    });
  });

  it('names files of the page that are missing', async () => {
    const folder = build({ 'prod-static/serve/webpack-bundles/app.0123456789abcdef0123.css': null });
    await expect(parley.json(['web-app', 'check', folder])).resolves.toEqual({
      fits: false,
      problems: ['prod-static/serve/webpack-bundles/app.0123456789abcdef0123.css is missing.'],
    });
  });

  it('refuses a folder that is not there', async () => {
    const { exitCode, output } = await parley.run(['web-app', 'check', '/nowhere/at/all']);
    expect(exitCode).toBe(1);
    expect(output).toContain('- version is missing.');
  });

  it('is asked by the start of the server as well', async () => {
    const folder = build({ version: null });
    const server = new ServerProcess([parley.program, 'serve'], {
      env: { WEB_APP_DIR: folder, DATA_DIR: `${folder}/data`, PORT: '0' },
    });
    await expect(server.exitCode()).resolves.toBe(1);
    expect(server.errors).toContain(`${folder} does not contain a usable web app:\n- version is missing.\n`);
  });
});
