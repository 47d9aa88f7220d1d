import { resolve } from 'node:path';
import type { Command } from 'commander';
import { amount, conclude, type Outcome } from './output';
import { commandOf, type CommonOptions } from './run-command';

/** Looking over the web app of a release, before `WEB_APP_DIR` names its folder. */
export function addWebAppCommand(program: Command): void {
  const webApp = program.command('web-app').description("manage Zulip's web app");
  commandOf(webApp, 'check <folder>', 'check whether a folder has a web app that the server can show')
    .addHelpText(
      'after',
      '\nThe folder is that of a release, as its archive unpacks. WEB_APP_DIR has the server show it.',
    )
    .action((folder: string, options: CommonOptions) => conclude(options, () => check(resolve(folder))));
}

async function check(folder: string): Promise<Outcome> {
  const { readBuild, versionNotice, WebAppUnfit } = await import('../features/web/web.module.js');
  try {
    const build = readBuild(folder);
    const { version, files, languages } = build;
    const notice = versionNotice(build);
    const text = [
      `${folder} holds the web app of release ${version}: ${amount(files.size, 'file')}, ${amount(languages.length, 'language')}.`,
      ...(notice === null ? [] : [notice]),
      `Show it with WEB_APP_DIR=${folder}`,
    ].join('\n');
    return { result: { fits: true, version, notice, files: files.size, languages: languages.length }, text };
  } catch (error) {
    if (!(error instanceof WebAppUnfit)) throw error;
    return { result: { fits: false, problems: error.problems }, text: error.message, exitCode: 1 };
  }
}
