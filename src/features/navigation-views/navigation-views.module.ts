import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { UsersModule } from '../users/users.module';
import { NavigationViewsController } from './navigation-views.controller';
import { NavigationViewsService } from './navigation-views.service';
import { NavigationView } from './navigation-view.entity';

/** Views that people put into the left sidebar of their clients. */
@Tables({ entities: [NavigationView] })
@Module({
  imports: [UsersModule],
  controllers: [NavigationViewsController],
  providers: [NavigationViewsService],
})
export class NavigationViewsModule {}
