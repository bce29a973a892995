package chat

import (
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#chat#<id>          chat                        the chat (chatRow)
//	w#<ws>#chat#<id>          told                        the Study answer that it goes on from (study.Told)
//	w#<ws>#chat#<id>          m#<place>                   one message, by its place (messageRow)
//	w#<ws>#chat#<id>          gone                        what is left to remove of a deleted chat; G1 "chats#gone", by time
//	w#<ws>#<owner>#threads    <study>#<message>#<mind>    which chat goes on from an answer (field chat)
//	w#<ws>#mindchats#<mind>   <chat>                      a chat that the Mind speaks in
//
// A message that is being answered stands in the idempotency table as
// chat_message of its chat, with the lease of whoever answers it.
const (
	skChat = "chat"
	skTold = "told"
	skGone = "gone"

	prefixMessage = "m#"
	gonePK        = "chats#gone"
	fieldChat     = "chat"
)

func chatPK(ws, id string) string { return account.WorkspacePrefix(ws) + "chat#" + id }

func chatKey(ws, id string) records.Key { return records.Key{PK: chatPK(ws, id), SK: skChat} }

func toldKey(ws, id string) records.Key { return records.Key{PK: chatPK(ws, id), SK: skTold} }

func goneKey(ws, id string) records.Key { return records.Key{PK: chatPK(ws, id), SK: skGone} }

func messageKey(ws, id string, place int) records.Key {
	return records.Key{PK: chatPK(ws, id), SK: placeSK(place)}
}

func placeSK(place int) string { return fmt.Sprintf("%s%09d", prefixMessage, place) }

func threadKey(ws, owner string, t thread) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + owner + "#threads", SK: t.StudyID + "#" + t.MessageID + "#" + t.MindID}
}

func mindChatsPK(ws, mind string) string { return account.WorkspacePrefix(ws) + "mindchats#" + mind }

func mindChatKey(ws, mind, chat string) records.Key {
	return records.Key{PK: mindChatsPK(ws, mind), SK: chat}
}

func goneSK(at time.Time) string { return clock.Stamp(at) }
