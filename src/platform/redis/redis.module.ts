import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { CommittedReads } from '../sql/queryable';
import { Metrics } from '../metrics/metrics';
import { RedisLink } from './redis-link';

/** The connection to other nodes, {@link RedisLink}: null without Redis. */
@Global()
@Module({
  providers: [
    {
      provide: RedisLink,
      inject: [Config, CommittedReads, Metrics],
      // A database file has only one node.
      useFactory: ({ redisUrl, databaseUrl }: Config, database: CommittedReads, metrics: Metrics) =>
        redisUrl !== null && databaseUrl !== null ? new RedisLink(redisUrl, database, metrics) : null,
    },
  ],
  exports: [RedisLink],
})
export class RedisModule {}
