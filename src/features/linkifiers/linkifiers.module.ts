import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { LinkifierDirectory } from './linkifier.directory';
import { LinkifiersController, PlaygroundsController } from './linkifiers.controller';
import { LinkifiersService } from './linkifiers.service';
import { PlaygroundsService } from './playgrounds/playgrounds.service';
import { Linkifier, Playground } from './linkifier.entity';

/** Linkifiers and code playgrounds. */
@Module({
  imports: [TypeOrmModule.forFeature([Linkifier, Playground]), AuditModule, UsersModule, MessagesModule],
  controllers: [LinkifiersController, PlaygroundsController],
  providers: [LinkifierDirectory, LinkifiersService, PlaygroundsService],
})
export class LinkifiersModule {}

// Exports for other features.
export { checkLinkifier, compilePattern } from './linkifier-checks';
export { playgroundRemoved } from './linkifiers.hooks';
