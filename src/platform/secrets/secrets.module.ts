import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { Database } from '../database/database.service';
import { RedisLink } from '../redis/redis-link';
import { AccessTokens } from './access-tokens';
import { ApiKeys, NamedApiKeys } from './api-keys';
import { BreachedPasswords } from './breached-passwords';
import { CsrfTokens, SecretLinks } from './secret-links';
import { DerivedKeys, Sealer, ServerSecret } from './server-secret';
import { LoginFailures, LoginFailuresInMemory, SharedLoginFailures } from './login-failures';
import { LoginThrottle, RequestLimit } from './login-throttle';
import { Passwords } from './passwords';
import { SecretCheckService } from './secret-check.service';

/** The server secret, its derived keys, and passwords. */
@Global()
@Module({
  providers: [
    {
      provide: ServerSecret,
      // The database comes first: if it cannot be opened, no secret is left behind.
      inject: [Config, Database],
      useFactory: (config: Config) => ServerSecret.open(config),
    },
    DerivedKeys,
    AccessTokens,
    ApiKeys,
    CsrfTokens,
    NamedApiKeys,
    {
      provide: Passwords,
      inject: [Config],
      useFactory: ({ breachedPasswordsFile: file }: Config) =>
        new Passwords(file === null ? null : BreachedPasswords.in(file)),
    },
    SecretLinks,
    Sealer,
    {
      provide: LoginFailures,
      inject: [RedisLink, DerivedKeys],
      useFactory: (link: RedisLink | null, keys: DerivedKeys) =>
        link ? new SharedLoginFailures(link, keys.current('login-failures')) : new LoginFailuresInMemory(),
    },
    LoginThrottle,
    RequestLimit,
    SecretCheckService,
  ],
  exports: [
    ServerSecret,
    DerivedKeys,
    AccessTokens,
    ApiKeys,
    CsrfTokens,
    NamedApiKeys,
    Passwords,
    LoginThrottle,
    RequestLimit,
    SecretLinks,
    Sealer,
  ],
})
export class SecretsModule {}
