import { DataSettings } from './data-settings';
import { Setting, type SettingTexts } from './setting';
import * as kind from './setting-kinds';

/** What the organization begins with, and what it does not set itself. */
export abstract class FirstStartSettings extends DataSettings {
  @Setting('ORGANIZATION_NAME', kind.visibleName(), {
    section: 'First start',
    default: 'Parley',
    about: 'Name of the organization that the first start creates.',
  })
  readonly organizationName!: string;

  @Setting('OWNER_EMAIL', kind.emailAddress(), {
    section: 'First start',
    default: null,
    defaultMeans: '`owner@` and `EMAIL_DOMAIN`',
    about: 'Email address of the owner that the first start creates.',
  })
  readonly ownerEmail!: string | null;

  @Setting('OWNER_PASSWORD', kind.text(6), {
    section: 'First start',
    default: null,
    defaultMeans: 'generated; shown on a terminal, otherwise in `first-sign-in.txt` in the data folder',
    about: 'Password of the owner that the first start creates. Weak ones are refused.',
    secret: true,
  })
  readonly ownerPassword!: string | null;

  @Setting('EMAIL_DOMAIN', kind.domainName(), {
    section: 'Organization',
    default: ownDomain,
    defaultMeans: 'the host name of `EXTERNAL_URL`, or `parley.localhost` where that is no domain name',
    about: 'Domain of generated addresses: those of bots, channels, and people who hide theirs.',
  })
  readonly emailDomain!: string;

  @Setting('WEB_PUBLIC_STREAMS_ENABLED', kind.flag(), {
    section: 'Organization',
    default: 'false',
    about:
      'Whether channels may be opened to readers without an account, if the organization also allows it.',
  })
  readonly webPublicStreamsEnabled!: boolean;
}

function ownDomain({ EXTERNAL_URL }: SettingTexts): string {
  const host = URL.canParse(EXTERNAL_URL ?? '') ? new URL(EXTERNAL_URL ?? '').hostname : '';
  return kind.domainName().parse(host) ?? 'parley.localhost';
}
