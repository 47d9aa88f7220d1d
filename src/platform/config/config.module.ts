import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config';
import { IdentityProviders } from './identity-providers';
import { LdapSettings } from './ldap-settings';

/** Provides the {@link Config}, and the contents of the files that it names, to all modules. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, IdentityProviders, LdapSettings],
      exports: [Config, IdentityProviders, LdapSettings],
    };
  }
}
