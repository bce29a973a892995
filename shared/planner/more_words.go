package planner

import "github.com/mindgate-dev/mindgate/shared/expression"

var (
	labelSkip  = expression.Of(`(?i)^(.{1,80}?)\s*(?:→|->|=>|[\[(]|–|—)\s*(?:skip|go|jump|weiter|passez|pase)\s*(?:to|zu|mit|à|a)?\s*(?:q|question|frage|pregunta)\s*\.?(\d{1,3}[a-z]?)\s*[\])]?\s*$`)
	rateCue    = expression.Of(`(?i)\b(?:rate|rating|score|evaluate|important|importance|satisfied|satisfaction|likely|agree|appealing|bewerten|wichtig|zufrieden|stimmen sie|notez|évaluez|important\w*|satisfait\w*|d'accord|valore|evalúe|importante\w*|satisfech\w*|de acuerdo|valuti|soddisfatt\w*|avalie|belangrijk|tevreden|beoordeel|önemli|memnun)\b|重要|满意|同意|評価|満足|중요|만족|동의|أهمية|رضا`)
	selects    = expression.Of(`(?i)\b(?:which of|what of|select|choose|pick|tick|check|welche|wählen|lequel|lesquel\w*|choisissez|cuál\w*|elija|seleccione|quale|quali|scelga|quais|escolha|welke|kies|hangi\w*)\b`)
	participle = expression.Of(`(?i)^(?:ever|already|\w+ed|\w+en|been|had|done|seen|heard|bought|used|made|gone)$`)
)

var aimWords = expression.Of(`(?i)^(?:(?:hi|hello|hey|dear all)[,!.]?\s+)?(?:(?:we|i|our team)\s+(?:want|need|would like|'d like|are trying|aim|plan|hope)\s+(?:to\s+)?|(?:the\s+)?(?:goal|objective|aim|purpose)\s*(?:is|:)\s*(?:to\s+)?|please\s+|wir (?:wollen|möchten)\s+|nous (?:voulons|souhaitons)\s+|queremos\s+|vogliamo\s+|we willen\s+)?(?:(?:understand|explore|find out|learn|discover|investigate|assess|evaluate|test|study|research|know|see|measure|verstehen|herausfinden|wissen|comprendre|savoir|entender|saber|conocer|capire|sapere|weten|begrijpen)\s*(?:about\s+)?[:,]?\s*)?`)

// pointsAt are words for something that respondents are shown.
var pointsAt = expression.Of(`(?i)\b(?:this|the following|above|below) (?:image|picture|photo|ad|advert\w*|video|clip|logo|packag\w+|poster|screenshot|design|mock-?up)\b|\b(?:shown|displayed) (?:above|below)\b|\bdieses? (?:bild|anzeige|video|logo|verpackung)\b|\bcette (?:image|publicité|vidéo)\b|\besta (?:imagen|foto)\b|\beste (?:anuncio|vídeo|video|logo)\b|这(?:张|个)(?:图|广告|视频)|この(?:画像|広告|動画)|이 (?:이미지|광고|영상)`)
