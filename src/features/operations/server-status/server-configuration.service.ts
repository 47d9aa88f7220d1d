import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { type SettingDefinition, settingsOf } from '../../../platform/config/setting';
import type { ConfiguredSetting } from './server-status.api';

/** Shows what the operator configured; of a secret, only whether there is one. */
@Injectable()
export class ServerConfigurationService {
  constructor(private readonly config: Config) {}

  /** In the order of the documentation. */
  list(): ConfiguredSetting[] {
    return settingsOf(Config.prototype).map((definition) => this.shown(definition));
  }

  private shown(definition: SettingDefinition): ConfiguredSetting {
    const { variable, section, about, secret = false } = definition;
    const value = textOf(Reflect.get(this.config, definition.property));
    const { default: initial, defaultMeans = typeof initial === 'string' ? initial : null } = definition;
    return {
      variable,
      section,
      about,
      value: secret ? null : value,
      default: secret ? null : defaultMeans,
      is_secret: secret,
      is_set: value !== null,
    };
  }
}

/** As an operator would write it; null where there is none. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : value === null ? null : JSON.stringify(value);
}
