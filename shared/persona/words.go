package persona

import (
	"strings"
	"unicode"
)

// low folds a label for comparison: lower case, one space between words.
func low(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// cue is a list of beginnings or parts of words that name one thing, in the
// languages that briefs come in.
type cue[T any] struct {
	means T
	words []string
}

func cues(s string) []string { return strings.Split(s, ",") }

// find gives the first cue of which a word stands in the text; a cue that begins
// or ends with a space begins or ends a word there.
func find[T any](list []cue[T], text string) (T, bool) {
	text = " " + low(text) + " "
	for _, c := range list {
		for _, w := range c.words {
			if strings.Contains(text, w) {
				return c.means, true
			}
		}
	}
	var none T
	return none, false
}

// begins is find for cues that must begin a word: "Rhineland-Palatinate" is no land,
// and Nashville no town of its own kind.
func begins[T any](list []cue[T], text string) (T, bool) {
	text = " " + low(text) + " "
	for _, c := range list {
		for _, w := range c.words {
			if strings.Contains(text, " "+strings.TrimLeft(w, " ")) {
				return c.means, true
			}
		}
	}
	var none T
	return none, false
}

// work is a person's standing towards paid work.
type work int

const (
	workUnknown work = iota
	fullTime
	partTime
	selfEmployed
	employed
	unemployed
	retired
	student
	atHome
	unable
	inactive
)

// paid reports whether the person works for pay.
func (w work) paid() bool { return w >= fullTime && w <= employed }

//nolint:misspell // other languages
var workCues = []cue[work]{
	{unemployed, cues("unemploy,jobless,out of work,looking for work,seeking work,job seek,jobseek,arbeitslos,arbeitssuch,chômage,chômeu,sans emploi,desemple, parad,en paro,sin empleo,disoccup,senza lavoro,desempreg,sem emprego,werkloos,werkzoek,bezrobot,arbetslös,arbetssök")},
	{retired, cues("retire,pensioner, pension,rentner,ruhestand,verrentet,in rente,retrait,jubila,pensionist,pensionat,in pensione,reformad,aposenta,gepension,met pensioen,emeryt,pensionär")},
	{unable, cues("unable to work,disabled,on disability,long-term sick,permanently sick,erwerbsunfähig,erwerbsgemindert,invalidité,incapacidad,inabile,arbeidsongeschikt,niezdoln,sjukpension")},
	{atHome, cues("homemaker,housewife,househusband,stay-at-home,stay at home,looking after home,looking after the home,full-time carer,full-time caregiver,full-time parent,home duties,hausfrau,hausmann,au foyer,ama de casa,amo de casa,labores del hogar,casaling,dona de casa,doméstic,huisvrouw,huisman,prowadz,gospodyni,hemmafru,hemarbet")},
	{student, cues("student,studier,in education,in training,pupil,apprentice,schüler,azubi,auszubild,étudiant,élève,estudiant,studente,estudante,scholier,uczeń,uczenn,uczniow,studiuj,studerande")},
	{inactive, cues("not working,not in work,not employed,not in paid,inactive,not in the labour,not in labor,not in the labor,out of the labo,nicht erwerb,nicht berufst,inactif,inactiv,inattiv,inativ,niet werkend,niepracuj,nieaktyw,ej i arbete")},
	{selfEmployed, cues("self-employ,self employ,freelanc,selbst,freiberuf,indépendant,à son compte,autónom,autonom,cuenta propia,in proprio,conta própria,zzp,zelfstandig,samozatrud,własna dział,egenföret")},
	{partTime, cues("part-time,part time,parttime,teilzeit,temps partiel,tiempo parcial,media jornada,tempo parziale,part-time,meio período,tempo parcial,deeltijd,niepełn,część etatu,deltid")},
	{fullTime, cues("full-time,full time,fulltime,vollzeit,temps plein,temps complet,tiempo completo,jornada completa,tempo pieno,tempo inteiro,tempo integral,período integral,voltijd,pełny etat,pełen etat,heltid")},
	{employed, cues("employ, working,in work,in paid work,wage,salaried,erwerbst,beschäftig,berufst,angestellt,arbeitnehm,arbeitend,salarié,en emploi,actif,emplead,ocupad,trabajador,occupat,lavorator,empregad,trabalhador,werkend,werknem,loondienst,zatrudn,pracuj,pracown,anställd,sysselsatt,yrkesverk,förvärvsarb")},
}

var genderCues = map[string]string{}

func init() {
	for k, list := range map[string]string{
		woman:     "woman,women,female,females,f,w,girl,girls,lady,ladies,frau,frauen,weiblich,femme,femmes,féminin,mujer,mujeres,femenino,donna,donne,femmina,mulher,mulheres,feminino,vrouw,vrouwen,vrouwelijk,kobieta,kobiety,kvinna,kvinnor,kvinnlig,mother,mothers,mum,mums,mom,moms,mutter,mütter,mère,mères,madre,madres,madri,mãe,mães,moeder,moeders,matka,matki,mamma,mammor,女性,女,여성,여자,kadın,امرأة,أنثى,女子",
		man:       "man,men,male,males,m,boy,boys,herr,mann,männer,männlich,homme,hommes,masculin,hombre,hombres,masculino,uomo,uomini,maschio,homem,homens,mannen,mannelijk,mężczyzna,mężczyźni,män,manlig,father,fathers,dad,dads,vater,väter,père,pères,padre,padres,padri,pai,vader,vaders,ojciec,ojcowie,pappa,男性,男,남성,남자,erkek,رجل,ذكر,男子",
		nonBinary: "non-binary,nonbinary,non binary,non-binary person,non-binary people,nb,x,other,another gender,diverse,divers,genderqueer,gender non-conforming,enby,non binaire,non-binaire,no binario,no binaria,no binarie,non binario,não binário,não-binário,non-binair,niebinarn,niebinarna,osoba niebinarna,icke-binär,ickebinär",
	} {
		for _, w := range strings.Split(list, ",") {
			genderCues[w] = k
		}
	}
	delete(genderCues, "padres") // fathers, and parents
}

const (
	woman     = "woman"
	man       = "man"
	nonBinary = "non-binary"
)

// genderOf reads a label or a canonical form.
func genderOf(labels ...string) string {
	for _, l := range labels {
		l = strings.TrimFunc(low(l), func(r rune) bool { return !unicode.IsLetter(r) })
		l = strings.TrimSuffix(strings.TrimPrefix(l, "cis "), "s only")
		if g, ok := genderCues[l]; ok {
			return g
		}
	}
	return ""
}

// level is how far somebody went in education (after ISCED 2011).
type level int

const (
	eduUnknown level = iota - 1
	eduNone
	eduLower
	eduUpper
	eduShort
	eduBachelor
	eduMaster
	eduDoctor
)

var eduCues = []cue[level]{
	// what denies a schooling, before the words of the schooling itself
	{eduLower, cues("below upper secondary,below secondary,less than upper,less than secondary,less than high school,below high school,no high school,without a high school,without high school,did not finish high,did not complete high,some high school,no upper secondary,without upper secondary,lower secondary,ohne berufsausb,ohne abgeschlossene,keine berufsausb,keine abgeschlossene,ohne ausbildung,keine ausbildung,ohne lehre,keine lehre,ohne abitur,kein abitur,unterhalb der sekundarstufe ii,sans le bac,sans bac,inférieur au bac,sin bachiller,senza maturità,senza diploma,sem ensino secundário,sem ensino médio,bez matury,zonder startkwalificatie,utan gymnasi")},
	{eduDoctor, cues("doctor,phd,ph.d,promotion,promov,doctorat,dottorat,doutor,doktor,isced 8")},
	{eduBachelor, cues("bachelor,undergraduate degree,licence,grado universitario,laurea triennale,licenciatura,licencjat,kandidat,isced 6,hbo")},
	{eduUpper, cues("below degree,no degree,without degree,high school,secondary school,upper secondary,secondary education,vocational,apprentice,a-level,a level,gcse,abitur,lehre,berufsausb,ausbildung,baccalauréat,lycée,bachiller,formación profesional,diploma di scuola,maturità,ensino médio,ensino secundário,mbo,havo,vwo,matura,średni,zasadnicz,gymnasi,isced 3,isced 4")},
	{eduMaster, cues("master,postgraduate,graduate degree,graduate school,post-graduate,advanced degree,professional degree,magister,diplom-,bac+5,laurea magistrale,mestrad,wyższ,isced 7")},
	{eduShort, cues("some college,associate,short-cycle,short cycle,foundation degree,bts,bac+2,technical degree,meister,fachwirt,technologist,yrkeshögskol,isced 5,some university")},
	{eduLower, cues("less than high school,no high school,below upper secondary,lower secondary,less than upper,hauptschul,realschul,mittlere reife,collège,brevet,eso,scuola media,ensino fundamental,vmbo,gimnazj,grundskol,isced 2,middle school")},
	{eduNone, cues("no formal,no qualification,no education,none,primary,elementary,ohne abschluss,ohne schulabschluss,sans diplôme,sin estudios,primaria,elementare,sem instrução,basisonderwijs,podstawow,isced 0,isced 1")},
	{eduBachelor, cues("university,college degree,college graduate,graduate,degree,tertiary,higher education,hochschul,universität,studium,akademik,enseignement supérieur,supérieur,superior,universit,laurea,universidad,universidade,wo-,universitair,högskol,eftergymnas")},
	{eduLower, cues("low,niedrig,gering,faible,bajo,bass,baix,laag,nisk,låg")},
	{eduUpper, cues("medium,middle,mittel,moyen,medio,medi,médio,middelbaar,średn,medel")},
	{eduBachelor, cues("high, hoch,hohe,élevé,alto,alta,hoog,wysok, hög")},
}

// parentYes and parentNo are what labels say of children.
var parentCues = []cue[bool]{
	{false, cues("no child,no kid,without child,childless,child-free,childfree,not a parent,not parent,non-parent,non parent,0 child,none,keine kinder,ohne kinder,kinderlos,pas d’enfant,pas d'enfant,sans enfant,sin hijos,senza figli,sem filhos,geen kinderen,zonder kinderen,bez dzieci,utan barn,inga barn")},
	{true, cues("parent,mother,father, mum, mom, dad,with child,with kid,has child,have child,has kid,have kid,families with,family with,child,kid,eltern,mutter,mütter,vater,väter,mit kind,kinder,enfant,mère,père,hijo,madre,padre,figli,genitor,filho, mãe, pai,ouder,kinderen,moeder,vader,rodzic,dzieci,matk,ojc,förälder,föräldrar,barn,yes, ja, oui")},
}

// settlement is the kind of place somebody lives in.
type settlement int

const (
	anywhere settlement = iota
	urban
	suburban
	rural
)

var settlementCues = []cue[settlement]{
	{suburban, cues("suburb,vorort,stadtrand,umland,banlieue,périurbain,periurban,extrarradio,voorstad,przedmieś,förort, town,kleinstadt")},
	{rural, cues("rural,village,countryside,country side,ländlich,dorf,land-,campagne,village,pueblo,campagna,paese rurale,zona rurale,interior rural,platteland,dorp,wieś,wiejsk,landsbygd")},
	{urban, cues("urban,city,cities,metropol,großstadt,städtisch,stadt,ville,ciudad,città,cidade,stad,miast,miejsk,storstad,tätort")},
}

// openCues are labels of degrees that go on to the highest.
var openCues = []cue[bool]{{true, cues("or higher,or more,or above,and above,and higher,tertiary,university,higher education,hochschul,universit,akademi,oder höher,et plus,ou plus,o más,o superior,o più,ou mais,of hoger,lub wyż,eller högre")}}

// topOf is the highest schooling that a label allows, whose lowest is l.
func topOf(label string, l level) level {
	if l < eduBachelor {
		if t := low(label); l == eduUpper && (strings.Contains(t, "short tertiary") || strings.Contains(t, "short-cycle") || strings.Contains(t, "post-secondary")) {
			return eduShort // "Upper secondary or short tertiary"
		}
		return l
	}
	if open, _ := find(openCues, label); open {
		return eduDoctor
	}
	return l
}
