import { Config } from '../src/platform/config/config';
import { settingsOf, type SettingDefinition } from '../src/platform/config/setting';

const INTRODUCTION = `# Configuration

Parley reads environment variables at startup. Empty ones count as unset. With an invalid value the server does not start, and says what
it must be. Secrets are never shown in messages or logs, and may be in files named by the variable with \`_FILE\`, such as
\`SMTP_URL_FILE=/run/secrets/smtp\`; a line break at the end is ignored.

<!-- Generated from the settings in src/platform/config by \`npm run docs\`. -->
`;

/** The text of `docs/configuration.md`, generated from the declared settings. */
export function configurationPage(): string {
  const settings = settingsOf(Config.prototype);
  const sections = [...new Set(settings.map(({ section }) => section))];
  const chapters = sections.map((section) => {
    const own = settings.filter((setting) => setting.section === section);
    return `## ${section}\n\n${own.map(entry).join('\n')}`;
  });
  return [INTRODUCTION, ...chapters].join('\n');
}

function entry(setting: SettingDefinition): string {
  const fallback =
    setting.defaultMeans ?? (typeof setting.default === 'string' ? `\`${setting.default}\`` : 'none');
  const allowed = setting.allowed.replace(/^a whole number from /, '');
  const secret = setting.secret ? ' Secret.' : '';
  return `### ${setting.variable}\n\n${setting.about}\n\nDefault: ${fallback}. Allowed: ${allowed}.${secret}\n`;
}
