/** The API for modules, `parley/module`: all that they may import from Parley. It follows semantic versioning. */

/** Defining a module. */
export { defineModule, type ModuleDefinition } from '../platform/modules/module-definition';
export {
  Controller,
  Delete,
  Get,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Patch,
  Post,
  Put,
} from '@nestjs/common';

/** Callers, and which of them a route accepts: without any of these decorators, everyone with an account. */
export {
  type Actor,
  type Caller,
  isAdministrator,
  isGuest,
  isModerator,
  isOwner,
  Role,
  type Way,
} from '../platform/actor';
export {
  AdministratorOnly,
  AllowIncomingWebhookBots,
  CurrentActor,
  HumansOnly,
  NeedsScope,
  NoGuests,
  NotRateLimited,
  OptionalCredentials,
  OwnerOnly,
  Public,
} from '../platform/http/decorators';

/** Parameters and errors of routes, and their API description. */
export { Parameters } from '../platform/http/parameters/parameters.decorator';
export {
  Parameter,
  type ParameterOptions,
  PathParameter,
} from '../platform/http/parameters/parameter.decorator';
export { oneOf, text, type TextRules } from '../platform/http/parameters/text';
export { idList } from '../platform/http/parameters/further-types';
export { json } from '../platform/http/parameters/json';
export type { WireType } from '../platform/http/parameters/json-type';
export { About } from '../platform/modules/module-routes';
export { ApiError, type ApiErrorOptions } from '../platform/errors/api-error';

/** Tables: declaring, creating, reading and writing them. */
export {
  Column,
  Entity,
  In,
  Index,
  IsNull,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  MoreThanOrEqual,
  Not,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type QueryRunner,
  TableColumn,
  TableIndex,
} from 'typeorm';
export { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
export type { ReadRepository } from '../platform/database/read-source';
export type { ModuleMigration } from '../platform/database/database.options';
export {
  columns,
  idColumn,
  index,
  nullable,
  primary,
  table,
} from '../platform/database/migrations/table-columns';
export {
  CommittedReads as Database,
  type Engine,
  type Queryable,
  type SqlRunner,
  type SqlValue,
} from '../platform/sql/queryable';
export type { CommitAction, Transaction } from '../platform/database/transactions/unit-of-work';
export { Transactions } from './module-services';

/** Events, and the initial state of clients. */
export { Audience } from '../platform/events/audience';
export type { EmitOptions, EventDefinition, ServerEvent } from '../platform/events/server-event';
export { defineModuleEvent as defineEvent } from './module-services';
export type { StateReader } from '../platform/client-state/initial-state.hooks';

/** Hooks for what happens, and deferred work. */
export { type MembershipChange, Moments, type MessageMoment } from './moments';
export { ModuleJobs as Jobs } from './module-services';
export { defineModuleJob as defineJob } from './module-services';
export {
  type JobHandler,
  type JobKind,
  type NewJob,
  type RetryPolicy,
  type RunningJob,
  UnrecoverableError,
} from '../platform/jobs/job';
export { Clock } from '../platform/clock';

/** People, groups, channels and messages. */
export { People, type PersonInfo } from './people';
export { type GroupInfo, Groups } from './people';
export { type ChannelInfo, Channels } from './channels';
export { type Alongside, type MessageInfo, type MessagePlace, Messages, type ReactionInfo } from './messages';

/** Incoming webhooks: requests of other services, and Markdown that shows their texts literally. */
export {
  codeBlock,
  type Integration,
  type IntegrationAnswer,
  type IntegrationBot,
  IntegrationCall,
  type IntegrationOption,
  type IntegrationPost,
  link,
  Payload,
  quoted,
  type RequestParts,
  safe,
  SafeText,
} from '../features/integrations/integrations.module';

/** Operation: environment variables, commands and metrics. */
export { Setting, type SettingOptions } from '../platform/config/setting';
export * as kind from '../platform/config/setting-kinds';
export type { SettingKind } from '../platform/config/setting-kinds';
export { CommandRefused } from '../platform/operator/operator-commands';
export { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
export { ModuleAudit as Audit } from './module-services';
export { Metrics } from '../platform/metrics/metrics';
