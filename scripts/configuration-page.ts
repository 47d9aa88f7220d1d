import { Config } from '../src/platform/config/config';
import { settingsOf, type SettingDefinition } from '../src/platform/config/setting';

const INTRODUCTION = `# Configuration

Parley reads environment variables, once, when it starts; there is no configuration file. Every variable has a default,
and an empty one counts as unset. With a value that is not allowed, the server does not start and says which variable is
wrong and what it takes. Other variables are left alone.

A secret may also be in a file, which the same name with \`_FILE\` at its end names: \`SMTP_URL_FILE=/run/secrets/smtp\`. A line break at
the end of the file is ignored. That keeps secrets out of the environment, and suits systemd's \`LoadCredential\` and the secrets of
Docker and Kubernetes.

<!-- Generated from the settings in src/platform/config by \`npm run docs\`. -->
`;

/** The text of `docs/configuration.md`, from what the settings say of themselves. */
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
  return [
    `### ${setting.variable}`,
    '',
    setting.about,
    '',
    `- Default: ${fallback}`,
    `- Allowed: ${setting.allowed}`,
    ...(setting.secret
      ? [`- Secret: never shown in messages or logs; may be in a file (\`${setting.variable}_FILE\`)`]
      : []),
    '',
  ].join('\n');
}
