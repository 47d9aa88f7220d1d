import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings';
import { RealtimeModule } from '../realtime';
import { UsersModule } from '../users';
import { DesktopHomeController, StaticFilesController } from './static-files.controller';
import { StaticFiles } from './static-files.service';
import { WebAppPageService } from './web-app-page.service';
import { WebApp } from './web-app.service';

/** The web app of a Zulip release, which an operator unpacked: its page, and its files. */
@Module({
  imports: [OrganizationSettingsModule, RealtimeModule, UsersModule],
  controllers: [StaticFilesController, DesktopHomeController],
  providers: [StaticFiles, WebApp, WebAppPageService],
})
export class WebAppModule {}
