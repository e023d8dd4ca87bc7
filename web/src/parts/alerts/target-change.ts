import type { AlertTargetChange, AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { changedFields, fieldsBefore } from '../changed-fields.ts';

type TargetSettings = Required<AlertTargetChange>;

function settingsOf({ address, conditions, events, quiet_from, quiet_to, time_zone }: AlertTargetView): TargetSettings {
  return { address, conditions, events, quiet_from, quiet_to, time_zone };
}

/** What is sent of an edited target: the settings that were changed. The server takes the three of quiet hours only together. */
export function targetChange(settings: TargetSettings, before: AlertTargetView): AlertTargetChange {
  const { quiet_from, quiet_to, time_zone } = settings;
  const change = changedFields(settings, settingsOf(before));
  const quiet = 'quiet_from' in change || 'quiet_to' in change || 'time_zone' in change;
  return quiet ? { ...change, quiet_from, quiet_to, time_zone } : change;
}

/**
 * The change that takes another one back; null: none does, because an earlier mail address would have to confirm again, and what waited for it is
 * dropped.
 */
export function targetBack(change: AlertTargetChange, target: AlertTargetView): AlertTargetChange | null {
  return target.kind === 'mail' && change.address !== undefined ? null : fieldsBefore(change, settingsOf(target));
}
