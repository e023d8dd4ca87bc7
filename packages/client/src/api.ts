export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SendTextRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The message, not blank. Longer text is refused, never cut. */
            text: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendImageRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /**
             * Format: uri
             * @description A public http(s) link straight to the file, without a user name or password.
             */
            url: string;
            /** @description Text shown with the file. Formatting markers work here too. */
            caption?: string;
            /** @description The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file. */
            mime_type?: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendDocumentRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /**
             * Format: uri
             * @description A public http(s) link straight to the file, without a user name or password.
             */
            url: string;
            /** @description The file name the recipient sees. If left out or empty, it is taken from the link. */
            filename?: string;
            /** @description Text shown with the file. Formatting markers work here too. */
            caption?: string;
            /** @description The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file. */
            mime_type?: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendVideoRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /**
             * Format: uri
             * @description A public http(s) link straight to the file, without a user name or password.
             */
            url: string;
            /** @description Text shown with the file. Formatting markers work here too. */
            caption?: string;
            /** @description The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file. */
            mime_type?: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendAudioRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /**
             * Format: uri
             * @description A public http(s) link straight to the file, without a user name or password.
             */
            url: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendStickerRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /**
             * Format: uri
             * @description A public http(s) link straight to the file, without a user name or password.
             */
            url: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendLocationRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description Degrees north, -90 to 90. */
            latitude: number | string;
            /** @description Degrees east, -180 to 180. */
            longitude: number | string;
            /**
             * @description Name of the place.
             * @default
             */
            name?: string;
            /**
             * @description Address of the place.
             * @default
             */
            address?: string;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendContactRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The cards, 1 to 10. */
            contacts: {
                /** @description The contact's full name. */
                full_name: string;
                /** @description A phone number with country code, 10 to 15 digits, no leading zero. Spaces, dashes, brackets and a leading + are ignored. */
                phone_number: string;
                /** @description Their company or organisation. */
                organization?: string;
                /** @description An email address, such as name@example.com. */
                email?: string;
                /**
                 * Format: uri
                 * @description A full link starting with http:// or https://, without a user name or password.
                 */
                url?: string;
            }[];
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendPollRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The question. */
            question: string;
            /** @description The answers to choose from, 2 to 10, all different. */
            options: string[];
            /**
             * @description How many options each person may choose.
             * @default 1
             */
            selectable_count?: number;
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendReactionRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The ID of the message to react to. The answer to a send has it as message_id. */
            message_id: string;
            /** @description A single emoji (one made of several parts counts as several characters). Left empty, it removes an earlier reaction. */
            emoji: string;
            /**
             * @description Whether that message was sent from this number.
             * @default false
             */
            from_me?: boolean;
        };
        SendButtonsRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The title, shown at the top. */
            title: string;
            /** @description The text below the title. */
            description?: string;
            /** @description Small print at the bottom. */
            footer?: string;
            /** @description The buttons, 1 to 3. */
            buttons: ({
                /** @constant */
                type: "reply";
                /** @description The label on the button. */
                text: string;
                /** @description Your own id for this button, unique within the message. */
                id: string;
            } | {
                /** @constant */
                type: "url";
                /** @description The label on the button. */
                text: string;
                /**
                 * Format: uri
                 * @description Public http(s) link that the button opens, without a user name or password.
                 */
                url: string;
            } | {
                /** @constant */
                type: "call";
                /** @description The label on the button. */
                text: string;
                /** @description A phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets and a leading + are ignored. */
                phone_number: string;
            })[];
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        SendListRequest: {
            /**
             * Format: uuid
             * @description The number to send from.
             */
            instance_id: string;
            /** @description The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count. */
            to: string;
            /** @description The title, shown at the top. */
            title: string;
            /** @description The label on the button that opens the menu. */
            button_text: string;
            /** @description The text below the title. */
            description?: string;
            /** @description Small print at the bottom. */
            footer_text?: string;
            /** @description The sections, 1 to 10, with at most 30 rows in total. */
            sections: {
                /** @description The title of the section. */
                title: string;
                /** @description The rows, 1 to 10 per section and at most 30 in all. */
                rows: {
                    /** @description The label of the row. */
                    title: string;
                    /** @description Your own id for this row, unique across the whole message. */
                    row_id: string;
                    /** @description A second line, if there is one. */
                    description?: string;
                }[];
            }[];
            /** @description The data.message_id of an earlier message. Makes this message a reply to it. */
            quoted_message_id?: string;
            /**
             * @description Set to true if the quoted message was sent from this number.
             * @default false
             */
            quoted_from_me?: boolean;
        };
        CheckNumbersRequest: {
            /**
             * Format: uuid
             * @description A connected number of the account.
             */
            instance_id: string;
            /** @description Numbers with country code, written as in `to`; duplicates are removed. */
            numbers: string[];
        };
        CreateInstanceRequest: {
            /** @description Your own name for the number. */
            label?: string;
            /**
             * @description One of the enabled networks. Default: the first enabled one.
             * @enum {string}
             */
            network?: "whatsapp" | "sandbox";
        };
        AnswerInstancePasskeyRequest: {
            /** @description The result of `credential.toJSON()` in the browser. */
            credential: {
                [key: string]: unknown;
            };
        };
        RenameInstanceRequest: {
            /** @description Your own name for the number; it does not affect sending. Not blank. */
            label: string;
        };
        SandboxScanRequest: {
            /** @description `qrcode.code` of the instance to be linked. */
            code: string;
            /** @description The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a leading + are stripped. */
            phone_number: string;
        };
        SandboxUnlinkRequest: {
            /** @description The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a leading + are stripped. */
            phone_number: string;
        };
        /** @description Every failure. */
        ErrorEnvelope: {
            /**
             * @description Always false.
             * @constant
             */
            success: false;
            error: components["schemas"]["ApiError"];
            /**
             * Format: uuid
             * @description Identifies the request, also for support. The same as the header X-Request-Id.
             */
            request_id: string;
        };
        /** @description What went wrong. */
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            /** @description For people; the wording may change. */
            message: string;
            /**
             * Format: uri
             * @description A page that explains this code and what to do. Absent if the gateway does not know its public address (`PUBLIC_URL`).
             */
            doc_url?: string;
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description The reason, for programs: branch on the HTTP status and this code. Its meaning never changes.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "invalid_media_url" | "missing_api_key" | "invalid_api_key" | "no_active_subscription" | "subscription_expired" | "account_suspended" | "access_expired" | "trial_quota_exceeded" | "instance_limit_reached" | "activation_unavailable" | "admin_free_slot_limit_reached" | "instance_not_found" | "not_found" | "instance_not_connected" | "number_already_connected" | "payload_too_large" | "invalid_recipient" | "media_fetch_failed" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "upstream_unavailable" | "qr_unavailable";
        /** @description More information for programs; on some errors only. */
        ErrorDetails: {
            /** @description Path of the offending field, positions counted from 0, for example `sections[1].rows[0].row_id`. */
            field?: string;
            /** @description Present when several fields are wrong: lists them all; `message` names the first. */
            errors?: {
                /** @description Path of the field. */
                field: string;
                /** @description What is expected of it. */
                message: string;
            }[];
            /**
             * @description The reason, as one word, where a code has several. More may be added.
             * @example store_unavailable
             * @example reach_out_blocked
             */
            reason?: string;
            /**
             * Format: date-time
             * @description When it ends, in UTC, if the network says.
             */
            until?: string;
            /** @description The media type of what the link leads to. */
            found?: string;
            /** @description Only on numbers/check with too many numbers: the maximum per check. */
            max_numbers?: number;
            /** @description Messages the trial has in total. */
            trial_message_limit?: number;
            /** @description Numbers the account may have. */
            instance_limit?: number;
            /**
             * @description Where the limit comes from: `plan`, `account` or `free_slots`. More may be added, so treat unknown ones alike.
             * @example plan
             * @example account
             * @example free_slots
             */
            limit_source?: string;
            /** @description Seconds to wait; the same as the header Retry-After. */
            retry_after_seconds?: number;
            /** @description Requests per minute in this scope. */
            limit_per_minute?: number;
            /**
             * @description The scope whose allowance is used up.
             * @enum {string}
             */
            scope?: "messages" | "instances" | "sandbox";
        };
        /** @description An accepted message. Accepted for delivery: neither delivered nor read. */
        SendResult: {
            /**
             * Format: uuid
             * @description The number it was sent from.
             */
            instance_id: string;
            /** @description The recipient as digits, after normalisation. */
            to: string;
            /**
             * @description The kind of the message.
             * @enum {string}
             */
            type: "text" | "image" | "document" | "video" | "audio" | "sticker" | "location" | "contact" | "poll" | "reaction" | "buttons" | "list";
            /**
             * @description Always `sent`.
             * @constant
             */
            status: "sent";
            /** @description The message's own id: keep it to quote the message or react to it later. */
            message_id: string | null;
            /**
             * @description The state on the network at the moment of sending, for example `PENDING`; not a receipt.
             * @example PENDING
             */
            provider_status: string | null;
        };
        /** @description An accepted message of a kind that phones may show differently. */
        InteractiveSendResult: components["schemas"]["SendResult"] & {
            /**
             * @description Always true.
             * @constant
             */
            best_effort: true;
            /** @description The caveat in words, for people. */
            note: string;
        };
        /** @description Which numbers are on the network. */
        NumberCheck: {
            /**
             * Format: uuid
             * @description The number that asked.
             */
            instance_id: string;
            /** @description How many numbers the request had. */
            submitted: number;
            /** @description How many distinct ones were looked up. */
            checked: number;
            /** @description One result per distinct number, in the order of first appearance. */
            results: components["schemas"]["NumberCheckResult"][];
        };
        /** @description What is known of one number. */
        NumberCheckResult: {
            /** @description The digits, after normalisation. */
            number: string;
            /** @description true: on the network; false: not on it; null: the check could not be completed, so nothing is known. */
            reachable: boolean | null;
            /** @description The number the network answers on. Send to this one when it differs; null unless `reachable` is true. */
            network_number: string | null;
        };
        /** @description The new instance and the first QR code of its pairing attempt. */
        CreatedInstance: components["schemas"]["Instance"] & {
            /** @description null when none was ready in time: then ask the QR endpoint. */
            qrcode: components["schemas"]["QrCode"] | null;
        };
        /** @description A number that is or can be linked. */
        Instance: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /** @description Your own name for the number; null if it has none. */
            label: string | null;
            status: components["schemas"]["InstanceStatus"];
            /** @description true only while `status` is `open`. */
            connected: boolean;
            /** @description Digits of the linked number; null if it was never linked. Kept after a disconnect. */
            phone_number: string | null;
            /**
             * @description The network it belongs to.
             * @enum {string}
             */
            network: "whatsapp" | "sandbox";
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /** @description How many new chats it may start; null if the network has not said and it has no budget. */
            new_chats: components["schemas"]["NewChats"] | null;
            restriction?: components["schemas"]["Restriction"];
        };
        /**
         * @description `open`: connected and able to send. `connecting`: being paired, or a linked number is coming back. `close`: not connected, a person must scan.
         * @enum {string}
         */
        InstanceStatus: "open" | "connecting" | "close";
        /** @description How many new chats the number may start in a cycle: what the network allows, or its own budget per UTC day where that leaves fewer. Existing chats do not count. */
        NewChats: {
            /** @description How many it has started in this cycle. */
            used: number;
            /** @description How many it may start. */
            quota: number;
            /**
             * Format: date-time
             * @description When the next cycle begins, in UTC; null when the network does not say.
             */
            cycle_ends_at: string | null;
        };
        /** @description A limit the network has put on the number. Present only while one is known. */
        Restriction: {
            /**
             * @description `reach_out_blocked`: it may not start new chats; existing chats go on. `new_chats_capped`: it has started as many new chats as it may in this cycle; existing chats go on. `temporarily_banned`: it may not connect, and comes back by itself afterwards. `version_refused`: the network asks for a newer version of the gateway. `replaced`: another program has logged in with the same credentials; asking for the QR code takes the number back.
             * @enum {string}
             */
            reason: "reach_out_blocked" | "new_chats_capped" | "temporarily_banned" | "version_refused" | "replaced";
            /**
             * Format: date-time
             * @description When it ends, in UTC; null when the network does not say.
             */
            until: string | null;
        };
        /** @description A code to scan with the phone. */
        QrCode: {
            /** @description A PNG as a data URL, ready to use as an image source. */
            base64: string;
            /** @description The content of the QR code, to draw it yourself. */
            code: string;
            /** @description A code to type on the phone instead, if one was requested; otherwise null. */
            pairingCode: string | null;
        };
        /** @description The account's numbers. */
        InstanceList: {
            /** @description Oldest first. */
            instances: components["schemas"]["Instance"][];
        };
        /** @description The code of the running pairing attempt. */
        Pairing: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            status: components["schemas"]["InstanceStatus"];
            /** @description true only while `status` is `open`. */
            connected: boolean;
            /** @description true when there is nothing to scan, because the number is connected. */
            already_connected: boolean;
            /** @description null when the number is already connected. */
            qrcode: components["schemas"]["QrCode"] | null;
        };
        /** @description The progress of a pairing attempt. */
        PairingProgress: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /** @description Your own name for the number; null if it has none. */
            label: string | null;
            status: components["schemas"]["InstanceStatus"];
            /** @description true only while `status` is `open`. */
            connected: boolean;
            /** @description Digits of the linked number; null if it was never linked. Kept after a disconnect. */
            phone_number: string | null;
            /** @description The current code: redraw it from every response. null when connected or exhausted. */
            qrcode: components["schemas"]["QrCode"] | null;
            /** @description Codes issued so far in this attempt; null without an attempt. */
            rotation_count: number | null;
            /** @description Codes an attempt shows before it is exhausted. */
            rotation_limit: number;
            /** @description true when the attempt has ended without a scan: start again with the QR endpoint. */
            exhausted: boolean;
            /**
             * @description Present, and true, when the network asks for a passkey before it links. There is no code to scan then; `GET /v1/instances/{id}/passkey` says what to do.
             * @constant
             */
            passkey_required?: true;
            /** @description The progress of linking with the passkey. Present with `passkey_required`. */
            passkey?: {
                /**
                 * @description `requested`: somebody has to give the passkey. `signed`: the network has taken it. `confirming`: the phone goes on, and a code may have to be compared. `failed`: the attempt is over, and the QR endpoint begins the next one.
                 * @enum {string}
                 */
                stage: "requested" | "signed" | "confirming" | "failed";
                /**
                 * Format: date-time
                 * @description When this stage times out, in UTC; null once it has failed.
                 */
                expires_at: string | null;
                /** @description Why it failed, as a sentence. Present with `failed` only. */
                reason?: string;
            };
            /**
             * @description Present, and true, when the live check did not complete this time. Not an error: keep polling.
             * @constant
             */
            check_incomplete?: true;
            /**
             * @description Where the answer comes from; for diagnosis only.
             * @enum {string}
             */
            source: "live" | "cached";
        };
        /** @description The passkey request. */
        Passkey: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /** @description The WebAuthn request options as JSON, as the network sent them; null when no passkey is requested. Shown only to the account. */
            options: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the current stage times out, in UTC.
             */
            expires_at: string | null;
            /** @description The code that the phone also shows, while a person has to compare and confirm it; otherwise null. */
            confirmation_code: string | null;
        };
        /** @description The progress of linking with the passkey. */
        PasskeyStage: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /**
             * @description `requested`: somebody has to give the passkey. `signed`: the network has taken it. `confirming`: the phone goes on, and a code may have to be compared. `failed`: the attempt is over, and the QR endpoint begins the next one.
             * @enum {string}
             */
            stage: "requested" | "signed" | "confirming" | "failed";
        };
        /** @description The instance under its new name. */
        RenamedInstance: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            status: components["schemas"]["InstanceStatus"];
            /** @description The new label. */
            label: string;
        };
        /** @description The instance is gone. */
        DeletedInstance: {
            /**
             * Format: uuid
             * @description The id that is no longer valid.
             */
            instance_id: string;
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        };
        /** @description The instance remains, without a link. */
        DisconnectedInstance: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /**
             * @description Always `close`.
             * @constant
             */
            status: "close";
            /**
             * @description Always true.
             * @constant
             */
            disconnected: true;
        };
        /** @description The service works. */
        Health: {
            /**
             * @description Always `ok`.
             * @constant
             */
            status: "ok";
            /** @description The version of the program. */
            version: string;
            /** @description What works only in part; absent when everything works. `redis`: Redis does not answer, so each server counts its own share of the rate limits. */
            degraded?: "redis"[];
        };
        /** @description The scan succeeded. */
        SandboxScan: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
            /** @description The digits of the phone that scanned. */
            phone_number: string;
        };
        /** @description The link is gone. */
        SandboxUnlink: {
            /**
             * Format: uuid
             * @description The number slot; stays the same for the life of the instance.
             */
            instance_id: string;
        };
        /** @description What a contact received. */
        SandboxMessages: {
            /** @description Oldest first. */
            messages: components["schemas"]["SandboxMessage"][];
            /**
             * @description Present, and true, when there are more: request them with `before` and the first message of this answer, or with `after` and the last.
             * @constant
             */
            has_more?: true;
        };
        /** @description A message as its recipient sees it. */
        SandboxMessage: {
            /** @description The id of the send; a contact keeps one message per id. */
            message_id: string;
            /** @description Digits of the sending number. */
            from: string;
            /** @description Digits of the recipient. */
            to: string;
            /**
             * @description The kind of the message.
             * @enum {string}
             */
            type: "text" | "image" | "document" | "video" | "audio" | "sticker" | "location" | "contact" | "poll" | "reaction" | "buttons" | "list";
            /** @description The request's own fields after normalisation; for media also `mime_type`, `size` and `sha256` of what was delivered. */
            content: {
                [key: string]: unknown;
            };
            /** @description The message this one replies to. */
            quoted: {
                /** @description Its id. */
                message_id: string;
                /** @description Whether the number sent it. */
                from_me: boolean;
            } | null;
            /**
             * Format: date-time
             * @description When it was received, in UTC.
             */
            received_at: string;
        };
        /** @description What became of a message: neither its content nor its recipient. */
        MessageEvent: {
            /**
             * @description `message.delivered`: the first device of its recipient has it. `message.read`: its recipient has read or played it, and lets others know that. `message.lost`: it was accepted, but a device of its recipient could not read it and it can no longer be delivered there. More may be added.
             * @example message.delivered
             * @example message.read
             * @example message.lost
             */
            event: string;
            /** @description The one in the answer to the send. */
            message_id: string;
            /**
             * Format: uuid
             * @description The number that sent it.
             */
            instance_id: string;
            /**
             * Format: uuid
             * @description The account of the number.
             */
            account_id: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            at: string;
        };
        /** @description The beginning or the end of something that needs attention. */
        Alert: {
            /**
             * Format: uuid
             * @description The beginning and the end of the same alert have the same one.
             */
            alert_id: string;
            /**
             * @description `number_needs_person`: a number was linked, and only a person can bring it back. `number_restricted`: WhatsApp restricts a number: banned for a time, or no new chats. `trial_nearly_used`: four fifths of a trial account’s messages are used. `access_ending`: the plan or the access of an account ends within 7 days, or has ended. `client_version_ending`: the version that numbers connect to WhatsApp with is old, or WhatsApp has announced its end. `disk_nearly_full`: less than 1 GiB is free where a server keeps its files. `error_rate_high`: many of a server’s sends of the last 10 minutes failed with 5xx (ALERT_ERROR_PERCENT). `writes_failing`: writes to the database have been failing for 5 minutes. `mail_unreachable`: the mail server took none of the last mails. `server_lost`: a server has been gone for 2 minutes without having been stopped. More may be added.
             * @example number_needs_person
             * @example number_restricted
             * @example trial_nearly_used
             * @example access_ending
             * @example client_version_ending
             * @example disk_nearly_full
             * @example error_rate_high
             * @example writes_failing
             * @example mail_unreachable
             * @example server_lost
             */
            condition: string;
            /**
             * @description Whether this is its beginning or its end.
             * @enum {string}
             */
            phase: "began" | "ended";
            /**
             * Format: date-time
             * @description When it began or ended, in UTC.
             */
            at: string;
            /** @description null when it concerns the installation. */
            account_id: string | null;
            /** @description The name of the account. */
            account_name: string | null;
            /** @description The name of the server that it concerns; `gateway` for all of them; null for a number or an account. */
            server: string | null;
            /** @description The number; null when it does not concern one. */
            instance_id: string | null;
            /** @description Its digits. */
            phone_number: string | null;
            /** @description Your own name for it. */
            label: string | null;
            /** @description Why: one word for a number, such as `unlinked`, a few for a server. More may be added. */
            reason: string | null;
            /** @description When a restriction or an access ends, in UTC. */
            until: string | null;
            /** @description For people, in English; the wording may change. */
            text: string;
        };
        /** @description The body of a webhook, after the Standard Webhooks specification. */
        MessagesWebhook: {
            /**
             * @description What `data` is. Ignore types that you do not know.
             * @constant
             */
            type: "messages";
            /**
             * Format: date-time
             * @description When it was put together, in UTC.
             */
            timestamp: string;
            data: {
                /** @description At most 1,000, in the order in which they happened. */
                events: components["schemas"]["MessageEvent"][];
            };
        };
        /** @description The body of a webhook, after the Standard Webhooks specification. */
        AlertsWebhook: {
            /**
             * @description What `data` is. Ignore types that you do not know.
             * @constant
             */
            type: "alerts";
            /**
             * Format: date-time
             * @description When it was put together, in UTC.
             */
            timestamp: string;
            data: {
                /** @description At most 1,000. */
                alerts: components["schemas"]["Alert"][];
            };
        };
        /** @description The body of a webhook, after the Standard Webhooks specification. */
        TestWebhook: {
            /**
             * @description What `data` is. Ignore types that you do not know.
             * @constant
             */
            type: "test";
            /**
             * Format: date-time
             * @description When it was put together, in UTC.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description The target that is tested.
                 */
                target_id: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
